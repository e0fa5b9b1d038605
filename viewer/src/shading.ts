// SPDX-License-Identifier: Apache-2.0
// How surfaces look: flat triangles, lit from the camera; ghosts; cut surfaces. Normals come from neighbouring pixels,
// so that none are stored.
import { type Color, DoubleSide, FrontSide, ShaderMaterial, type Vector4 } from "three";
import { volumeOpacity } from "./palette";

/** Solid parts, parts that only stand around, bounding volumes, and solid parts with a hole. */
export type Look = "solid" | "ghost" | "volume" | "holed";

/** Shared by all materials: changing a value changes it in each. */
export interface Cuts {
  hole: { value: Vector4 }; // a cone from the camera to this place, so wide there: what holed parts have in it is left out
  plane: { value: Vector4 }; // what is on its negative side is cut away; (0, 0, 0, 1): nothing
  cap: { value: Color };
}

const vertexShader = /* glsl */ `
#include <common>
#include <batching_pars_vertex>
varying vec3 colour;
varying vec3 seen;
varying vec3 place;
void main() {
  #include <batching_vertex>
  vec4 world = batchingMatrix * vec4(position, 1.0);
  vec4 view = modelViewMatrix * world;
  place = world.xyz;
  seen = view.xyz;
  colour = getBatchingColor(getIndirectIndex(gl_DrawID));
  gl_Position = projectionMatrix * view;
}`;

const fragmentShader = /* glsl */ `
uniform vec4 plane;
uniform vec3 cap;
uniform vec4 hole;
varying vec3 colour;
varying vec3 seen;
varying vec3 place;
void main() {
  if (dot(plane.xyz, place) + plane.w < 0.0) discard;
#if LOOK == 3
  vec3 target = (viewMatrix * vec4(hole.xyz, 1.0)).xyz;
  float far = length(target);
  float along = dot(seen, target) / far;
  float wide = hole.w * along / far;
  float off = length(seen - target * (along / far));
  if (along < far - 1.4 * hole.w && off < wide) discard;
#endif
  vec3 normal = normalize(cross(dFdx(seen), dFdy(seen)));
  vec3 towards = normalize(-seen);
  float facing = abs(dot(normal, towards));
#if LOOK == 0 || LOOK == 3
  if (!gl_FrontFacing && plane.w < 1.0) {
    float stripe = step(0.5, fract((gl_FragCoord.x + gl_FragCoord.y) / 9.0));
    gl_FragColor = vec4(mix(cap, colour, 0.55 + 0.2 * stripe), 1.0);
    return;
  }
  float key = max(dot(normal, normalize(vec3(-0.45, 0.75, 0.6))), 0.0);
  float fill = max(dot(normal, normalize(vec3(0.8, -0.1, 0.5))), 0.0);
  gl_FragColor = vec4(colour * (0.5 + 0.42 * key + 0.12 * fill + 0.08 * facing), 1.0);
#elif LOOK == 1
  gl_FragColor = vec4(colour, mix(0.03, 0.26, pow(1.0 - facing, 2.0)));
#else
  float shade = 0.55 + 0.45 * max(dot(normal, normalize(vec3(-0.45, 0.75, 0.6))), 0.0);
  gl_FragColor = vec4(colour * shade, ${volumeOpacity});
#endif
}`;

export function material(look: Look, cuts: Cuts): ShaderMaterial {
  const made = new ShaderMaterial({
    vertexShader,
    fragmentShader,
    defines: { LOOK: ["solid", "ghost", "volume", "holed"].indexOf(look) },
    side: look === "volume" ? FrontSide : DoubleSide,
    transparent: look === "ghost" || look === "volume",
    depthWrite: look !== "ghost",
    // Volumes that lie on the surface they bound do not flicker.
    polygonOffset: look === "volume",
    polygonOffsetFactor: -1,
    polygonOffsetUnits: -1,
  });
  made.uniforms["plane"] = cuts.plane;
  made.uniforms["cap"] = cuts.cap;
  made.uniforms["hole"] = cuts.hole;
  return made;
}

