// SPDX-License-Identifier: Apache-2.0
import { expect, test } from "vitest";
import { axesOf, between, goWith, homeView, lookAt, otherSides, pan, roomFor, turn, zoom, halfAngle, type Vec } from "../../src/camera";

const dot = (a: Vec, b: Vec): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: Vec, b: Vec): Vec => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

for (const up of ["y", "z"] as const)
  test(`axes are a right-handed frame with ${up} up`, () => {
    for (const azimuth of [-3, -1, 0, 2]) {
      const { right, above, back } = axesOf({ ...homeView, azimuth }, up);
      cross(right, above).forEach((x, i) => { expect(x).toBeCloseTo(back[i]!); });
      expect(dot(right, right)).toBeCloseTo(1);
      expect(dot(above, above)).toBeCloseTo(1);
      expect(above["xyz".indexOf(up)]).toBeGreaterThan(0);
    }
  });

test("the camera does not turn over its head", () => {
  expect(turn(homeView, 0, 10).elevation).toBeLessThan(Math.PI / 2);
  expect(turn(homeView, 0, -10).elevation).toBeGreaterThan(-Math.PI / 2);
});

test("moving keeps the distance and zooming the target", () => {
  const moved = pan(homeView, "z", 0.1, 0.2);
  expect(moved.distance).toBe(homeView.distance);
  expect(Math.hypot(...moved.target)).toBeCloseTo(2 * homeView.distance * Math.tan(halfAngle) * Math.hypot(0.1, 0.2));
  expect(zoom(homeView, 0.5)).toEqual({ ...homeView, distance: homeView.distance / 2 });
  expect(zoom(homeView, 0).distance).toBeGreaterThan(0);
});

test("a ball that is looked at fits into the picture, also into a narrow one", () => {
  for (const aspect of [0.5, 1, 2]) {
    const view = lookAt(homeView, [1, 2, 3], 0.5, aspect);
    const half = Math.atan(Math.tan(halfAngle) * Math.min(1, aspect));
    expect(Math.asin(0.5 / view.distance)).toBeLessThan(half);
  }
});

test("the picture of two parts that are apart reaches to both, and of two that meet stays near", () => {
  const ball = (x: number, radius: number): { centre: Vec; radius: number } => ({ centre: [x, 0, 0], radius });
  expect(roomFor([0, 0, 0], ball(0.1, 0.2), 0)).toBeCloseTo(0.3); // one and a half of the smaller
  expect(roomFor([0, 0, 0], ball(-0.21, 0.2), 0.02)).toBeCloseTo(0.31);
  for (const gap of [0.5, 1, 4]) { // three quarters of the smaller one are in it at least, and so much of the other
    const smaller = ball(-gap / 2 - 0.1, 0.1);
    expect(roomFor([0, 0, 0], smaller, gap)).toBeCloseTo(gap / 2 + 0.15);
    expect(roomFor([0, 0, 0], smaller, gap / 10)).toBeCloseTo(gap / 2 + 0.15); // of another step, where it was less
    expect(roomFor([0, 0, 0], { ...smaller, radius: 0 }, gap)).toBeGreaterThanOrEqual(gap / 2);
  }
  expect(roomFor([0, 0, 0], ball(0, 0), 0)).toBeGreaterThan(0);
});

test("going along with what moves apart keeps both in the picture, and goes back the same way", () => {
  for (const aspect of [0.5, 1, 2]) {
    const near = lookAt(homeView, [1, 2, 3], 0.1, aspect);
    const away = goWith(near, [1, 0, 0], 4, aspect);
    const both = lookAt(homeView, [2, 2, 3], 2.1, aspect); // two balls of 0.1, 4 apart
    expect(away.target).toEqual(both.target);
    expect(away.distance / both.distance).toBeCloseTo(1, 1);
    const back = goWith(away, [-1, 0, 0], -4, aspect);
    expect(back.target).toEqual(near.target);
    expect(back.distance).toBeCloseTo(near.distance);
  }
});

test("other sides look at the same place, the last from opposite", () => {
  const sides = otherSides(homeView);
  for (const side of sides) expect([side.target, side.distance]).toEqual([homeView.target, homeView.distance]);
  const { back } = axesOf(homeView, "z");
  expect(dot(axesOf(sides[2]!, "z").back, back)).toBeCloseTo(-1);
  expect(axesOf(sides[0]!, "z").back[2]).toBeCloseTo(back[2]);
  expect(axesOf(sides[1]!, "z").back[2]).toBeCloseTo(-back[2]);
});

test("a flight begins and ends where it should, and goes the shorter way round", () => {
  const to = { target: [1, 0, 0] as Vec, distance: 1, azimuth: homeView.azimuth + 2 * Math.PI - 0.2, elevation: 0 };
  expect(between(homeView, to, 0)).toEqual(homeView);
  const end = between(homeView, to, 1);
  expect(end.target).toEqual(to.target);
  expect(end.distance).toBeCloseTo(to.distance);
  expect(Math.cos(end.azimuth - to.azimuth)).toBeCloseTo(1);
  expect(Math.abs(between(homeView, to, 0.5).azimuth - homeView.azimuth)).toBeLessThan(0.2);
});
