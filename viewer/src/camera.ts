// SPDX-License-Identifier: Apache-2.0
// The camera as numbers: where it looks from, how it turns, moves and flies. No drawing, no events.

export type Vec = [number, number, number];

/** It looks at the target from a distance; angles in radians, elevation from -π/2 to π/2 above the ground. */
export interface View {
  target: Vec;
  distance: number;
  azimuth: number;
  elevation: number;
}

/** Half of the opening angle. */
export const halfAngle = (20 * Math.PI) / 180;
const steepest = Math.PI / 2 - 0.001;

export const homeView: View = { target: [0, 0, 0], distance: 1.02 / Math.sin(halfAngle), azimuth: -0.9, elevation: 0.5 };

const clamp = (value: number, least: number, most: number): number => Math.min(Math.max(value, least), most);

/** Right, up and backward (from target to camera), with z up or y up. */
export function axesOf(view: View, up: "y" | "z"): { right: Vec; above: Vec; back: Vec } {
  const [ca, sa, ce, se] = [Math.cos(view.azimuth), Math.sin(view.azimuth), Math.cos(view.elevation), Math.sin(view.elevation)];
  // With z up; y up is the same after x → z → y → x, which keeps hands apart.
  const turned = (v: Vec): Vec => (up === "z" ? v : [v[1], v[2], v[0]]);
  return { right: turned([-sa, ca, 0]), above: turned([-se * ca, -se * sa, ce]), back: turned([ce * ca, ce * sa, se]) };
}

export function turn(view: View, byAzimuth: number, byElevation: number): View {
  return { ...view, azimuth: view.azimuth + byAzimuth, elevation: clamp(view.elevation + byElevation, -steepest, steepest) };
}

export function zoom(view: View, factor: number): View {
  return { ...view, distance: clamp(view.distance * factor, 1e-5, 100) };
}

/** Moves sideways and upward, by shares of what is seen from top to bottom. */
export function pan(view: View, up: "y" | "z", toRight: number, upward: number): View {
  const { right, above } = axesOf(view, up);
  const seen = 2 * view.distance * Math.tan(halfAngle);
  const target = view.target.map((t, i) => t + seen * (toRight * right[i]! + upward * above[i]!)) as Vec;
  return { ...view, target };
}

/** Shows a ball; a picture that is higher than wide needs more distance. */
export function lookAt(view: View, centre: Vec, radius: number, aspect: number): View {
  const narrow = Math.atan(Math.tan(halfAngle) * Math.min(1, aspect));
  return { ...view, target: centre, distance: clamp((1.02 * radius) / Math.sin(narrow), 1e-5, 100) };
}

/**
 * How large a ball about the place of a clash must be to show it: the smaller part, so that it is known again, and where
 * parts that are apart come nearest to each other. The gap is 0 if they meet. It may be the least of several steps; how far
 * the place is from the smaller part says more then.
 */
export function roomFor(place: Vec, smaller: { centre: Vec; radius: number }, gap: number): number {
  const away = Math.hypot(...place.map((x, i) => x - smaller.centre[i]!)) - smaller.radius;
  return Math.max(1e-4, Math.max(0, gap / 2, away) + 1.5 * smaller.radius);
}

/** After what it shows has moved, and come apart by a distance: goes along and steps back, or forward again. */
export function goWith(view: View, way: Vec, apart: number, aspect: number): View {
  const narrow = Math.atan(Math.tan(halfAngle) * Math.min(1, aspect));
  const target = view.target.map((t, i) => t + way[i]!) as Vec;
  return { ...view, target, distance: clamp(view.distance + apart / 2 / Math.sin(narrow), 1e-5, 100) };
}

/** The same place from elsewhere: after half a turn, from below instead of above, and both. */
export function otherSides(view: View): View[] {
  const across = turn(view, Math.PI, 0);
  return [across, turn(view, 0, -2 * view.elevation), turn(across, 0, -2 * view.elevation)];
}

/** On the way between two views, at 0 to 1: soft at both ends, distances by their ratio, the shorter way round. */
export function between(from: View, to: View, at: number): View {
  const t = at * at * (3 - 2 * at);
  const mix = (a: number, b: number): number => a + (b - a) * t;
  const way = to.azimuth - from.azimuth;
  const turns = way - 2 * Math.PI * Math.round(way / (2 * Math.PI));
  return {
    target: from.target.map((x, i) => mix(x, to.target[i]!)) as Vec,
    distance: from.distance * (to.distance / from.distance) ** t,
    azimuth: from.azimuth + turns * t,
    elevation: mix(from.elevation, to.elevation),
  };
}
