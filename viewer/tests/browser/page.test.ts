// SPDX-License-Identifier: Apache-2.0
// Pages that the tumble command wrote, in a real browser. TUMBLE names the command.
import { execFileSync, spawn } from "node:child_process";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
// @ts-expect-error: plain JavaScript, shared with scripts/shoot.mjs
import { launchOptions } from "../../scripts/browser.mjs";
import { differingShare, readPng } from "./png";

const tumble = process.env["TUMBLE"] ?? new URL("../../../build/test/cli/tumble", import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), "tumble-viewer-"));
let browser: Browser;

beforeAll(async () => {
  if (!existsSync(tumble)) throw new Error(`${tumble} does not exist; build it, or name it by TUMBLE`);
  browser = await chromium.launch(launchOptions as object);
});
afterAll(async () => {
  await browser.close();
  rmSync(folder, { recursive: true });
});

const file = (name: string, text: string | Buffer): string => {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
};

/** Writes a page; the command's status 1 only says that something touches. */
function report(...args: string[]): string {
  const page = join(folder, `${args.join("_").replace(/\W+/g, "_").slice(-40)}.html`);
  try {
    execFileSync(tumble, [...args, "--report", page], { cwd: folder, stdio: "pipe" });
  } catch (error) {
    if ((error as { status?: number }).status !== 1) throw error;
  }
  return page;
}

const hostile = `</script><img src=x onerror="document.title='owned'"><b>bold</b>\u2028`;

/** A box as an OFF file. */
const box = (x: number, y: number, z: number): string =>
  `OFF\n8 12 0\n${[0, 1, 2, 3, 4, 5, 6, 7].map((i) => `${i & 1 ? x : 0} ${i & 2 ? y : 0} ${i & 4 ? z : 0}`).join("\n")}\n` +
  "0 2 3|0 3 1|4 5 7|4 7 6|0 1 5|0 5 4|2 6 7|2 7 3|0 4 6|0 6 2|1 3 7|1 7 5".split("|").map((f) => `3 ${f}\n`).join("");
const place = (name: string, mesh: string, x: number, y: number, z: number): object =>
  ({ name, mesh: `${mesh}.off`, pose: [1, 0, 0, x, 0, 1, 0, y, 0, 0, 1, z] });

/** A plate with three bolts through it and a box apart. */
function assembly(): string {
  file("plate.off", box(100, 60, 6));
  file("bolt.off", box(6, 6, 24));
  return file("assembly.json", JSON.stringify({ units: "mm", parts: [
    place("plate", "plate", 0, 0, 0), place("bolt", "bolt", 10, 10, -8), place(hostile, "bolt", 80, 10, -8),
    place("bolt", "bolt", 45, 40, -8), place("spare", "bolt", 45, 45, 40)] }));
}

function flight(): string[] {
  assembly();
  const poses = Array.from({ length: 60 }, (_, i) => `1 0 0 ${-20 + 2 * i} 0 1 0 30 0 0 1 ${i < 30 ? 3 : 12}`);
  return ["fly", join(folder, "plate.off"), join(folder, "bolt.off"), file("path.txt", `${poses.join("\n")}\n`), "--query", "all"];
}

async function open(page: string, { link = "", width = 1280, height = 800, dark = false, touch = false, motion = false } = {}): Promise<{ tab: Page; problems: string[] }> {
  const tab = await browser.newPage({
    viewport: { width, height }, colorScheme: dark ? "dark" : "light", reducedMotion: motion ? "no-preference" : "reduce", hasTouch: touch,
  });
  const problems: string[] = [];
  tab.on("console", (message) => { if (message.type() === "error") problems.push(message.text()); });
  tab.on("pageerror", (error) => problems.push(error.message));
  tab.on("request", (request) => { if (!/^(file|data|http:\/\/127)/.test(request.url())) problems.push(request.url()); });
  await tab.goto((page.startsWith("http") ? page : pathToFileURL(page).href) + link);
  await tab.waitForSelector("body[data-ready]");
  await settle(tab);
  return { tab, problems };
}

/** Until the next frames are drawn. */
const settle = async (tab: Page): Promise<void> => {
  await tab.evaluate(() => new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(() => { setTimeout(done, 60); })); }));
};
/** Until the page has heard of a new address, of which the browser tells in its own time. */
const heard = async (tab: Page, label: RegExp): Promise<void> => {
  await vi.waitFor(async () => { expect(await tab.locator("#focus-label").textContent()).toMatch(label); }, 10_000);
};
/** Presses and lets go at one time, however long the machine takes: what lasts longer is no click to the page. */
const click = async (tab: Page, x: number, y: number): Promise<void> => {
  const mouse = await tab.context().newCDPSession(tab);
  const timestamp = Date.now() / 1000;
  for (const type of ["mousePressed", "mouseReleased"] as const)
    await mouse.send("Input.dispatchMouseEvent", { type, x, y, button: "left", clickCount: 1, timestamp });
  await mouse.detach();
};
const shot = async (tab: Page): Promise<Buffer> => tab.locator("#scene").screenshot();
const isRed = (r: number, g: number, b: number): boolean => r > 200 && g < 40 && b < 70;
const isBlue = (r: number, _: number, b: number): boolean => b > r + 60;
const isOrange = (r: number, g: number, b: number): boolean => r > b + 80 && g > b + 30;
/** How many pixels of the scene have the colours of outlines and of the two parts of a clash. */
const colours = async (tab: Page): Promise<{ red: number; blue: number; orange: number }> => {
  const { pixels } = readPng(await shot(tab));
  const n = { red: 0, blue: 0, orange: 0 };
  for (let i = 0; i < pixels.length; i += 3) {
    const [r, g, b] = [pixels[i]!, pixels[i + 1]!, pixels[i + 2]!];
    if (isRed(r, g, b)) ++n.red;
    if (isBlue(r, g, b)) ++n.blue;
    if (isOrange(r, g, b)) ++n.orange;
  }
  return n;
};
/** Where the parts are in the picture, by all their pixels, and how many these are. */
const parts = async (tab: Page): Promise<{ x: number; y: number; area: number }> => {
  const { width, height, pixels: rgb } = readPng(await shot(tab));
  const sum = { x: 0, y: 0, area: 0 };
  for (let i = 0; i < width * height; ++i)
    if (Math.abs(rgb[3 * i]! - 0xf4) + Math.abs(rgb[3 * i + 1]! - 0xf6) + Math.abs(rgb[3 * i + 2]! - 0xf8) > 30) {
      sum.x += i % width;
      sum.y += Math.floor(i / width);
      ++sum.area;
    }
  return { x: sum.x / sum.area, y: sum.y / sum.area, area: sum.area };
};
const drawn = async (tab: Page): Promise<number> => Number(await tab.evaluate(() => document.body.dataset["triangles"]));
const calls = async (tab: Page): Promise<number> => Number(await tab.evaluate(() => document.body.dataset["calls"]));

test("a page loads without a word to the network, and names stay text", async () => {
  const { tab, problems } = await open(report("world", assembly()));
  expect(await tab.title()).toContain("assembly.json");
  expect(await tab.locator("#pane-clashes tbody tr").count()).toBe(3);
  expect(await tab.locator("img").count()).toBe(0);
  expect(await tab.locator("#pane-clashes b").count()).toBe(0);
  expect(await tab.locator("#pane-clashes").textContent()).toContain("<img src=x onerror=");
  expect(await drawn(tab)).toBe(5 * 12);
  expect(await calls(tab)).toBe(1);
  expect(problems).toEqual([]);
  await tab.close();
});

test("the policy of the page stops scripts that would come in all the same", async () => {
  const { tab } = await open(report("world", assembly()));
  const ran = await tab.evaluate(async () => {
    const host = document.createElement("div");
    const seconds = (n: number): Promise<void> => new Promise((done) => { setTimeout(done, 1000 * n); });
    const refused = new Promise<void>((done) => {
      const kinds = new Set<string>();
      document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => {
        if (kinds.add(effectiveDirective).size === 3) done();
      });
    });
    host.innerHTML = `<img src="data:image/png;base64,AA" onerror="document.body.dataset.owned='event'">`;
    const script = document.createElement("script");
    script.textContent = "document.body.dataset.owned='script'";
    document.body.append(host, script);
    const blocked = await fetch("https://example.org/").then(() => "fetched", () => "blocked");
    const all = await Promise.race([refused.then(() => "three refused"), seconds(10).then(() => "not all refused")]);
    return [document.body.dataset["owned"] ?? "nothing", blocked, all];
  });
  expect(ran).toEqual(["nothing", "blocked", "three refused"]); // an attribute, a script, a request
  await tab.close();
});

test("a click on a row flies to the clash, colours its parts and ghosts the rest", async () => {
  const { tab, problems } = await open(report("world", assembly()));
  const before = await shot(tab);
  await tab.locator("#pane-clashes tbody tr").nth(1).click();
  await settle(tab);
  expect(await tab.evaluate(() => location.hash)).toBe("#clash-2");
  expect(await tab.locator("#focus-label").textContent()).toContain("Clash 2");
  expect(await tab.locator("tr[aria-current=true]").count()).toBe(1);
  expect(await tab.locator("#marker").isVisible()).toBe(true);
  expect(differingShare(readPng(before), readPng(await shot(tab)))).toBeGreaterThan(0.2);
  const { red, blue, orange } = await colours(tab);
  expect(red).toBeGreaterThan(100); // outlines
  expect(blue).toBeGreaterThan(1000);
  expect(orange).toBeGreaterThan(1000);
  await tab.keyboard.press("Escape");
  await settle(tab);
  expect(await tab.locator("#marker").isVisible()).toBe(false);
  expect(problems).toEqual([]);
  await tab.close();
});

test("the worst come first, what is allowed or passes last, and keys go through the rows as they are", async () => {
  const allow = file("allow.txt", `bolt#2\n`);
  const page = report("clash", assembly(), "--allow", allow);
  const { tab, problems } = await open(page);
  expect(await tab.locator("#summary").textContent()).toBe("2 clashes · 1 allowed · 5 parts");
  const rows = tab.locator("#pane-clashes tbody tr");
  expect(await rows.last().textContent()).toContain("allowed");
  expect(await rows.last().getAttribute("data-verdict")).toBe("allowed");
  const numbers = await rows.locator("td:first-child").allTextContents();
  for (const number of [...numbers, numbers[0]!]) {
    await tab.keyboard.press("n");
    await settle(tab);
    expect(await tab.evaluate(() => location.hash)).toBe(`#clash-${number}`);
  }
  expect(await tab.locator("#focus-label .measure").textContent()).toMatch(/^[\d.]+( to [\d.]+)? mm deep$/);
  expect(problems).toEqual([]);
  await tab.close();
});

test("a part that the other one hides is seen from another side", async () => {
  file("wall.off", box(100, 2, 80));
  file("chest.off", box(20, 12, 10));
  for (const y of [2, -12]) { // behind the wall and before it
    const page = report("clash", file(`wall${y}.json`, JSON.stringify({ units: "mm", parts: [place("wall", "wall", 0, 0, 0), place("chest", "chest", 40, y, 30)] })));
    const { tab, problems } = await open(page, { link: "#clash-1" });
    const { blue, orange } = await colours(tab);
    expect(blue, `wall at ${y}`).toBeGreaterThan(1000);
    expect(orange, `chest at ${y}`).toBeGreaterThan(1000);
    expect(problems).toEqual([]);
    await tab.close();
  }
});

test("parts that are apart are both in the picture of their clash, and so is the place between", async () => {
  file("unit.off", box(1, 1, 1));
  file("frame.off", box(8, 8, 1));
  const assemblies: Record<string, object[]> = {
    cell: [{ ...place("post", "unit", 0.85, 0.65, 0.55), scale: 0.1 }, { ...place("box", "unit", 0.85, -0.85, -0.25), scale: 0.5 }],
    frame: [place("unit", "unit", 3, 3, 6), place("frame", "frame", 0, 0, 0)],
    twins: [place("one", "unit", 0, 0, 0), place("two", "unit", 5, 0, 1)],
  };
  for (const [name, parts] of Object.entries(assemblies)) {
    const page = report("clash", file(`${name}.json`, JSON.stringify({ units: "m", parts })), "--clearance", "6");
    for (const size of [{ width: 1280, height: 800 }, ...(name === "cell" ? [{ width: 390, height: 844 }] : [])]) {
      const { tab, problems } = await open(page, { link: "#clash-1", ...size });
      expect(await tab.locator("#focus-label").textContent()).toMatch(/^Clash 1, too close.* m apart$/);
      await bare(tab);
      await settle(tab);
      const { blue, orange } = await colours(tab);
      expect(blue, `${name}, ${size.width}`).toBeGreaterThan(300);
      expect(orange, `${name}, ${size.width}`).toBeGreaterThan(300);
      expect(problems).toEqual([]);
      await tab.close();
    }
  }
});

test("no name turns the words beside it round", async () => {
  file("bolt.off", box(6, 6, 24));
  const marks = [0x61c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202b, 0x202c, 0x202d, 0x202e, 0x2066, 0x2067, 0x2068, 0x2069].map((code) => String.fromCodePoint(code));
  const parts = [`bolt\u202egnp.step`, marks.join("x")].map((name, i) => place(name, "bolt", 2 * i, 0, 0));
  const { tab, problems } = await open(report("clash", file("a\u202eb.json", JSON.stringify({ units: "mm", parts }))), { link: "#clash-1" });
  expect(await tab.title()).toMatch(/^a\\u202eb/);
  expect(await tab.locator("#focus-label").textContent()).toContain("bolt\\u202egnp.step");
  expect(await tab.locator("#pane-parts .name").first().textContent()).toBe("bolt\\u202egnp.step");
  const shown = await tab.evaluate(() => [document.title, document.body.innerText, ...[...document.querySelectorAll("*")].filter((at) => at.tagName !== "SCRIPT")
    .flatMap((at) => [...at.attributes].map(({ value }) => value))].join(" "));
  for (const mark of marks) expect(shown.includes(mark), `U+${mark.codePointAt(0)!.toString(16)}`).toBe(false);
  expect(problems).toEqual([]);
  await tab.close();
});

test("links lead to a clash or a part, and wrong ones nowhere", async () => {
  const page = report("world", assembly());
  const { tab } = await open(page, { link: "#clash-3" });
  expect(await tab.locator("#focus-label").textContent()).toContain("Clash 3");
  await tab.evaluate(() => { location.hash = "#part-5"; });
  await settle(tab);
  expect(await tab.locator("#focus-label").textContent()).toBe("spare");
  for (const wrong of ["#clash-99", "#<img src=x>", "#clash-0"]) {
    await tab.evaluate((link) => { location.hash = link; }, wrong);
    await settle(tab);
    expect(await tab.locator("#focus-label").textContent()).toBe("");
  }
  await tab.close();
});

test("the table is sorted and searched", async () => {
  const { tab } = await open(report("world", assembly()));
  const first = (): Promise<string | null> => tab.locator("#pane-clashes tbody tr td:first-child").first().textContent();
  expect(await first()).toBe("1");
  await tab.locator("th[data-column=number] button").click();
  expect(await first()).toBe("3");
  expect(await tab.locator("th[aria-sort=descending]").count()).toBe(1);
  await tab.getByLabel("Search clashes").fill("bolt#2");
  expect(await tab.locator("#pane-clashes tbody tr").count()).toBe(1);
  await tab.close();
});

test("parts are searched, hidden and shown; a click on the scene chooses one", async () => {
  const { tab } = await open(report("world", assembly()));
  await tab.getByRole("tab", { name: "Parts" }).click();
  await tab.getByLabel("Search parts").fill("bolt");
  expect(await tab.locator(".parts li").count()).toBe(2);
  await tab.getByRole("button", { name: "Hide" }).click();
  await settle(tab);
  expect(await drawn(tab)).toBe(3 * 12);
  await tab.getByRole("button", { name: "Only these" }).click();
  await settle(tab);
  expect(await drawn(tab)).toBe(2 * 12);
  await tab.getByLabel("Search parts").fill("");
  await tab.getByRole("button", { name: "Show", exact: true }).click();
  await tab.getByLabel("Show plate").uncheck();
  await settle(tab);
  expect(await drawn(tab)).toBe(4 * 12);
  await tab.getByLabel("Show plate").check();
  const box = (await tab.locator("#scene").boundingBox())!;
  await click(tab, box.x + box.width / 2, box.y + box.height / 2 + 30);
  await settle(tab);
  expect(await tab.evaluate(() => location.hash)).toBe("#part-1");
  await tab.close();
});

test("section, explosion and bounding volumes change the picture", async () => {
  const { tab, problems } = await open(report("world", assembly()));
  await tab.getByRole("tab", { name: "View" }).click();
  const field = (name: string) => tab.locator("fieldset", { hasText: name });
  const pictures = [readPng(await shot(tab))];
  const changed = async (): Promise<number> => {
    await settle(tab);
    pictures.push(readPng(await shot(tab)));
    return differingShare(pictures.at(-2)!, pictures.at(-1)!);
  };
  await field("Section").getByRole("button", { name: "X", exact: true }).click();
  expect(await changed()).toBeGreaterThan(0.02);
  await field("Section").getByRole("slider").fill("-0.4");
  expect(await changed()).toBeGreaterThan(0.01);
  await field("Section").getByRole("button", { name: "Other side" }).click();
  expect(await changed()).toBeGreaterThan(0.02);
  await field("Section").getByRole("button", { name: "None" }).click();
  await settle(tab);
  expect(differingShare(pictures[0]!, readPng(await shot(tab)))).toBeLessThan(0.002);
  pictures.push(pictures[0]!);
  await field("Bounding volumes").getByRole("button", { name: "0", exact: true }).click();
  expect(await changed()).toBeGreaterThan(0.02);
  expect(await calls(tab)).toBe(2);
  await field("Bounding volumes").getByRole("button", { name: "None" }).click();
  await changed();
  await field("Explode").getByRole("slider").fill("1");
  expect(await changed()).toBeGreaterThan(0.02);
  expect(problems).toEqual([]);
  await tab.close();
});

test("the parts of a clash stay in the picture while they are moved apart", async () => {
  const { tab, problems } = await open(report("world", assembly()), { link: "#clash-1" });
  await tab.evaluate(() => { location.hash = "#clash-2"; });
  await settle(tab);
  await tab.getByRole("tab", { name: "View" }).click();
  const slider = tab.locator("fieldset", { hasText: "Explode" }).getByRole("slider");
  const before = readPng(await shot(tab));
  for (const amount of ["0.5", "1", "2"]) {
    await slider.fill(amount);
    await settle(tab);
    const { blue, orange } = await colours(tab);
    expect(blue, amount).toBeGreaterThan(500);
    expect(orange, amount).toBeGreaterThan(500);
  }
  const apart = readPng(await shot(tab));
  await tab.evaluate(() => { location.hash = "#clash-1"; }); // chosen while they are apart
  await settle(tab);
  await tab.evaluate(() => { location.hash = "#clash-2"; });
  await settle(tab);
  expect(differingShare(apart, readPng(await shot(tab)))).toBeLessThan(0.002);
  await tab.getByRole("tab", { name: "View" }).click();
  await slider.fill("0");
  await settle(tab);
  expect(differingShare(before, readPng(await shot(tab)))).toBeLessThan(0.002);
  await tab.evaluate(() => { location.hash = "#part-5"; });
  await settle(tab);
  await tab.getByRole("tab", { name: "View" }).click();
  await slider.fill("1");
  await settle(tab);
  const scene = (await tab.locator("#scene").boundingBox())!;
  await click(tab, scene.x + scene.width / 2, scene.y + scene.height / 2);
  await settle(tab);
  expect(await tab.evaluate(() => location.hash)).toBe("#part-5"); // it is still in the middle
  expect(problems).toEqual([]);
  await tab.close();
});

test("a section reaches what an explosion has moved away", async () => {
  const { tab, problems } = await open(report("world", assembly()));
  await tab.getByRole("tab", { name: "View" }).click();
  const [explode, section] = ["Explode", "Section"].map((name) => tab.locator("fieldset", { hasText: name }));
  await explode!.getByRole("slider").fill("2");
  await settle(tab);
  const whole = readPng(await shot(tab));
  await section!.getByRole("button", { name: "X", exact: true }).click();
  const cutAt = async (place: string): Promise<number> => {
    await section!.getByRole("slider").fill(place);
    await settle(tab);
    return differingShare(whole, readPng(await shot(tab)));
  };
  expect(await cutAt("1.2")).toBeGreaterThan(0.001); // a bolt is beyond
  expect(await cutAt("1.7")).toBe(0);
  await explode!.getByRole("slider").fill("0.25");
  expect(await section!.getByRole("slider").inputValue()).toBe("1.25");
  expect(problems).toEqual([]);
  await tab.close();
});

test("everything can be done with keys", async () => {
  const { tab } = await open(report("world", assembly()));
  await tab.keyboard.press("n");
  await tab.keyboard.press("n");
  await settle(tab);
  expect(await tab.evaluate(() => location.hash)).toBe("#clash-2");
  await tab.keyboard.press("p");
  await settle(tab);
  expect(await tab.evaluate(() => location.hash)).toBe("#clash-1");
  await tab.keyboard.press("Escape");
  await tab.keyboard.press("/");
  expect(await tab.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Search clashes");
  await tab.keyboard.type("nn?");
  expect(await tab.evaluate(() => location.hash)).toBe(""); // letters in a search are no commands
  await tab.locator("#scene").focus();
  const before = readPng(await shot(tab));
  for (const key of ["ArrowLeft", "ArrowUp", "Shift+ArrowRight", "+"]) await tab.keyboard.press(key);
  await settle(tab);
  expect(differingShare(before, readPng(await shot(tab)))).toBeGreaterThan(0.02);
  await tab.keyboard.press("t");
  expect(await tab.evaluate(() => document.documentElement.dataset["theme"])).toBe("dark");
  await tab.keyboard.press("?");
  expect(await tab.locator("#help").isVisible()).toBe(true);
  await tab.keyboard.press("Escape");
  await tab.locator("#help").waitFor({ state: "hidden" });
  await tab.locator("#tab-clashes").focus();
  await tab.keyboard.press("ArrowRight");
  expect(await tab.locator("#pane-parts").isVisible()).toBe(true);
  await tab.close();
});

/** Only the scene, without what lies on it; returns its middle. */
const bare = async (tab: Page): Promise<{ x: number; y: number }> => {
  await tab.evaluate(() => {
    for (const id of ["focus-label", "stage-buttons"]) document.getElementById(id)!.style.display = "none";
    document.getElementById("scene")!.style.outline = "none"; // of the focus
  });
  const box = (await tab.locator("#scene").boundingBox())!;
  return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
};

test("a drag turns, with the right button or Shift it moves, and the wheel zooms", async () => {
  const { tab, problems } = await open(report("world", assembly()));
  const middle = await bare(tab);
  await tab.mouse.move(middle.x, middle.y);
  await tab.mouse.wheel(0, 200); // room at the sides
  await settle(tab);
  const home = readPng(await shot(tab));
  const start = await parts(tab);
  const drag = async (right: number, down: number, button: "left" | "right" = "left"): Promise<{ x: number; y: number; area: number }> => {
    await tab.mouse.move(middle.x, middle.y);
    await tab.mouse.down({ button });
    await tab.mouse.move(middle.x + right / 2, middle.y + down / 2);
    await tab.mouse.move(middle.x + right, middle.y + down);
    await tab.mouse.up({ button });
    await settle(tab);
    return parts(tab);
  };
  const away = async (): Promise<number> => differingShare(home, readPng(await shot(tab)));

  const turned = await drag(600, 0); // far out of the scene, onto the list
  expect(await away()).toBeGreaterThan(0.05);
  expect(Math.abs(turned.x - start.x)).toBeLessThan(25); // about the middle of all parts
  await drag(-600, 0);
  expect(await away()).toBeLessThan(0.002);
  const above = await drag(0, 120);
  expect(above.area).toBeGreaterThan(1.2 * start.area); // the plate lies flat: more of it is seen from above
  await drag(0, -120);

  const right = await drag(90, -60, "right");
  expect(right.x - start.x).toBeGreaterThan(75);
  expect(right.x - start.x).toBeLessThan(105);
  expect(right.y - start.y).toBeGreaterThan(-75);
  expect(right.y - start.y).toBeLessThan(-45);
  await tab.keyboard.down("Shift");
  await drag(-90, 60);
  await tab.keyboard.up("Shift");
  expect(await away()).toBeLessThan(0.002);

  await tab.mouse.wheel(0, -200);
  await settle(tab);
  expect((await parts(tab)).area).toBeGreaterThan(1.5 * start.area);
  await tab.mouse.wheel(0, 200);
  await settle(tab);
  expect(await away()).toBeLessThan(0.002);
  expect(await tab.evaluate(() => location.hash)).toBe(""); // none of this was a click
  expect(problems).toEqual([]);
  await tab.close();
});

test("one finger turns, two move and zoom", async () => {
  const { tab, problems } = await open(report("world", assembly()), { touch: true });
  const middle = await bare(tab);
  const fingers = await tab.context().newCDPSession(tab);
  const touch = async (...steps: [number, number][][]): Promise<{ x: number; y: number; area: number }> => {
    for (const [i, step] of steps.entries())
      await fingers.send("Input.dispatchTouchEvent", { type: i === 0 ? "touchStart" : "touchMove", touchPoints: step.map(([x, y], id) => ({ x: middle.x + x, y: middle.y + y, id })) });
    await fingers.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
    await settle(tab);
    return parts(tab);
  };
  const narrow: [number, number][] = [[-70, 0], [70, 0]];
  const wide: [number, number][] = [[-100, 0], [100, 0]];
  const fit = await parts(tab);
  const small = await touch(wide, [[-85, 0], [85, 0]], narrow);
  expect(small.area / fit.area).toBeGreaterThan(0.4); // 0.7 squared is 0.49
  expect(small.area / fit.area).toBeLessThan(0.6);
  const moved = await touch(narrow, [[-40, 20], [100, 20]], [[-10, 40], [130, 40]]);
  expect(moved.area / small.area).toBeCloseTo(1, 1);
  expect(moved.x - small.x).toBeGreaterThan(48);
  expect(moved.x - small.x).toBeLessThan(72);
  expect(moved.y - small.y).toBeGreaterThan(30);
  expect(moved.y - small.y).toBeLessThan(50);
  const before = readPng(await shot(tab));
  const turned = await touch([[0, 0]], [[60, 0]], [[120, 0]]);
  expect(differingShare(before, readPng(await shot(tab)))).toBeGreaterThan(0.05);
  expect(Math.abs(turned.y - moved.y)).toBeLessThan(25);
  expect(await tab.evaluate(() => location.hash)).toBe("");
  expect(problems).toEqual([]);
  await tab.close();
});

test("the way to a clash is flown where motion is welcome, and a drag ends it", async () => {
  const page = report("world", assembly());
  const still = await open(page);
  await bare(still.tab);
  const row = (tab: Page) => tab.locator("#pane-clashes tbody tr").nth(1);
  await row(still.tab).click();
  await settle(still.tab);
  const end = readPng(await shot(still.tab));
  await still.tab.close();

  const { tab, problems } = await open(page, { motion: true });
  const middle = await bare(tab);
  const picture = async () => readPng(await shot(tab));
  const pictures = [await picture()];
  // The page's clock stands still between steps, so that slow machines see the same frames.
  await tab.clock.install();
  await tab.clock.pauseAt(Date.now() + 60_000);
  const fly = async (milliseconds: number): Promise<number> => {
    await tab.clock.runFor(milliseconds);
    pictures.push(await picture());
    return differingShare(pictures.at(-2)!, pictures.at(-1)!);
  };
  await row(tab).click();
  await heard(tab, /^Clash 2/); // no flight has begun before, and the page's clock does not stop the browser's
  expect(await fly(200)).toBeGreaterThan(0.02);
  await tab.mouse.move(middle.x, middle.y);
  await tab.mouse.down({ button: "right" });
  await tab.mouse.move(middle.x + 40, middle.y);
  await tab.mouse.up({ button: "right" });
  expect(await fly(50)).toBeGreaterThan(0.02);
  expect(await fly(1000)).toBe(0);
  await tab.keyboard.press("Escape");
  await heard(tab, /^$/);
  await row(tab).click();
  await heard(tab, /^Clash 2/);
  for (const at of [200, 400]) expect(await fly(200), `after ${at} ms`).toBeGreaterThan(0.02);
  expect(differingShare(end, pictures.at(-1)!)).toBeGreaterThan(0.02); // still on the way
  await fly(400);
  expect(differingShare(end, pictures.at(-1)!)).toBeLessThan(0.002);
  expect(problems).toEqual([]);
  await tab.close();
});

test("a flight is scrubbed, played, and goes to its clashes", async () => {
  const { tab, problems } = await open(report(...flight()));
  const words = (): Promise<string> => tab.locator(".step-words").innerText();
  const step = async (): Promise<number> => Number(/step (\d+)/.exec(await words())![1]);
  expect(await words()).toMatch(/^step 0 of 59: free, contacts 0, /);
  const before = readPng(await shot(tab));
  await tab.getByLabel("Step of the flight").fill("20");
  await settle(tab);
  expect(await words()).toMatch(/^step 20 of 59: contact, contacts \d+/);
  expect(differingShare(before, readPng(await shot(tab)))).toBeGreaterThan(0.005);
  await tab.keyboard.press(".");
  expect(await step()).toBe(21);
  const plot = (await tab.locator(".plot").boundingBox())!;
  await tab.mouse.click(plot.x + plot.width - 12, plot.y + 30);
  expect(await step()).toBe(59);
  // By the page's clock, which stands still between: a slow machine would be at the end before it pauses.
  await tab.clock.install();
  await tab.clock.pauseAt(Date.now() + 60_000);
  await tab.keyboard.press(" "); // begins anew at the end
  await tab.clock.runFor(600);
  const stopped = await step();
  expect(stopped).toBeGreaterThan(10); // 30 steps a second
  expect(stopped).toBeLessThan(20);
  await tab.getByRole("button", { name: "Pause" }).click();
  await tab.clock.runFor(200);
  expect(await step()).toBe(stopped);
  await tab.clock.resume();
  await tab.locator("#pane-clashes tbody tr").first().click();
  await settle(tab);
  expect(await words()).toContain("contact,");
  await tab.getByLabel("What the plot shows").selectOption("value");
  expect(await tab.locator(".plot").getAttribute("aria-label")).toContain("contacts of each step");
  expect(problems).toEqual([]);
  await tab.close();
});

test("a clash is left with its steps, and playing goes on", async () => {
  const { tab, problems } = await open(report(...flight()), { link: "#clash-1" });
  const steps = (await tab.locator("#pane-clashes .steps").first().textContent())!.match(/\d+/g)!.map(Number);
  expect(await tab.locator("#pane-clashes td.figure").first().textContent()).toMatch(/^≤ \d+$/);
  await tab.getByLabel("Step of the flight").fill(String(steps[1]));
  expect(await tab.locator("#focus-label").textContent()).toContain("Clash 1");
  await tab.getByLabel("Step of the flight").fill(String(steps[1]! + 1));
  await settle(tab);
  expect(await tab.locator("#focus-label").textContent()).toBe("");
  expect(await tab.locator("#marker").isVisible()).toBe(false);
  expect(await tab.evaluate(() => location.hash)).toBe("");
  await tab.locator("#pane-clashes tbody tr").first().click();
  await heard(tab, /^Clash 1/); // which ends playing
  await tab.getByRole("button", { name: "Play" }).click();
  await tab.waitForFunction((last) => Number(/step (\d+)/.exec(document.querySelector(".step-words")!.textContent)![1]) > last + 4, steps[1]!);
  expect(await tab.evaluate(() => location.hash)).toBe("");
  expect(problems).toEqual([]);
  await tab.close();
});

test("in a flight, too, the space bar shows and hides the part that has the focus", async () => {
  const { tab } = await open(report(...flight()));
  await tab.getByRole("tab", { name: "Parts" }).click();
  const box = tab.locator(".parts input").first();
  await box.focus();
  await tab.keyboard.press(" ");
  expect(await box.isChecked()).toBe(false);
  expect(await tab.getByRole("button", { name: "Play" }).count()).toBe(1);
  await tab.close();
});

test("a row that is chosen already leads back to its place", async () => {
  const { tab } = await open(report("world", assembly()));
  const row = tab.locator("#pane-clashes tbody tr").nth(1);
  await row.click();
  await bare(tab);
  await settle(tab);
  const place = readPng(await shot(tab));
  await tab.locator("#scene").focus();
  for (let i = 0; i < 5; ++i) await tab.keyboard.press("-");
  await settle(tab);
  expect(differingShare(place, readPng(await shot(tab)))).toBeGreaterThan(0.05);
  await row.click();
  await settle(tab);
  expect(differingShare(place, readPng(await shot(tab)))).toBeLessThan(0.002);
  await tab.close();
});

test("the picture comes back after its driver began anew", async () => {
  const { tab, problems } = await open(report("world", assembly()));
  const before = readPng(await shot(tab));
  await tab.evaluate(async () => {
    const canvas = document.getElementById("scene") as HTMLCanvasElement;
    const context = canvas.getContext("webgl2")!.getExtension("WEBGL_lose_context")!;
    const happened = (event: string): Promise<void> => new Promise((done) => {
      canvas.addEventListener(event, () => { setTimeout(done); }, { once: true }); // after all who listen
    });
    const [lost, restored] = [happened("webglcontextlost"), happened("webglcontextrestored")];
    context.loseContext();
    await lost;
    context.restoreContext();
    await restored;
  });
  await settle(tab);
  expect(differingShare(before, readPng(await shot(tab)))).toBeLessThan(0.002);
  expect(problems).toEqual([]);
  await tab.close();
});

test("a very long name leaves the scene in sight", async () => {
  const parts = ["x", "a-b "].map((name, i) => place(name.repeat(2000 / name.length), "bolt", i, 0, 0));
  assembly();
  const { tab } = await open(report("clash", file("longest.json", JSON.stringify({ units: "mm", parts }))), { link: "#clash-1", width: 390, height: 844 });
  const [label, scene] = [(await tab.locator("#focus-label").boundingBox())!, (await tab.locator("#scene").boundingBox())!];
  expect(label.height).toBeLessThan(0.75 * scene.height);
  expect((await tab.locator("#pane-clashes tbody tr").first().boundingBox())!.height).toBeLessThan(250);
  await tab.close();
});

test("nothing is cut off at 390 pixels, in either theme", async () => {
  for (const dark of [false, true]) {
    const { tab } = await open(report(...flight()), { width: 390, height: 844, dark });
    expect(await tab.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
    expect(await tab.locator("#summary").evaluate((summary) => summary.scrollWidth - summary.clientWidth)).toBe(0);
    for (const id of ["#scene", ".scrubber", ".play", "#tab-clashes", "#tab-view", "#theme-button"]) {
      const box = (await tab.locator(id).boundingBox())!;
      expect(box.x, id).toBeGreaterThanOrEqual(0);
      expect(box.x + box.width, id).toBeLessThanOrEqual(390);
      expect(box.y + box.height, id).toBeLessThanOrEqual(844);
    }
    expect(await tab.evaluate(() => document.documentElement.dataset["theme"])).toBe(dark ? "dark" : "light");
    await tab.close();
  }
  const long = ["architecture_482_buildingelementproxy", "x".repeat(60), "M".repeat(60)];
  const parts = long.map((name, i) => place(name, "bolt", [-6, 1e-100, 3][i]!, 0, 0)); // the first two have a gap of 1.00e-100
  const { tab } = await open(report("clash", file("long.json", JSON.stringify({ units: "mm", parts })), "--clearance", "9"), { width: 390, height: 844 });
  expect(await tab.locator("#pane-clashes .scroll").evaluate((list) => list.scrollWidth - list.clientWidth)).toBe(0);
  await tab.close();
});

test("pictures are the ones that were looked at", async () => {
  const page = report("world", assembly());
  for (const [name, given] of Object.entries({
    "clash-light": { link: "#clash-2", width: 960, height: 600 },
    "clash-dark-narrow": { link: "#clash-2", width: 390, height: 844, dark: true },
    "section-light": { choose: { Section: "x" }, width: 960, height: 600 },
    "volumes-dark": { choose: { Bounding: "0" }, width: 960, height: 600, dark: true },
    "flight-light": { flown: true, link: "#clash-1", width: 960, height: 600 },
  })) {
    const { choose = {}, flown = false, ...options } = { ...given } as { choose?: Record<string, string>; flown?: boolean; link?: string; width: number; height: number; dark?: boolean };
    const { tab } = await open(flown ? report(...flight()) : page, options);
    for (const [title, value] of Object.entries(choose)) await tab.locator("fieldset", { hasText: title }).locator(`button[data-value="${value}"]`).evaluate((button: HTMLElement) => { button.click(); });
    await settle(tab);
    // Letters are other machines' fonts.
    await tab.evaluate(() => { for (const id of ["focus-label", "stage-buttons", "timeline"]) document.getElementById(id)!.hidden = true; });
    await settle(tab);
    const picture = await shot(tab);
    const golden = new URL(`pictures/${name}.png`, import.meta.url);
    if (process.env["UPDATE_PICTURES"]) writeFileSync(golden, picture);
    else expect(differingShare(readPng(readFileSync(golden)), readPng(picture)), name).toBeLessThan(0.01);
    await tab.close();
  }
});

/** A ball with bumps, as a PLY file of twice so many triangles. */
function ball(rings: number, around: number): Buffer {
  const vertices = Buffer.alloc((rings + 1) * around * 12);
  const faces = Buffer.alloc(2 * rings * around * 13);
  for (let i = 0, at = 0; i <= rings; ++i)
    for (let j = 0; j < around; ++j, at += 12) {
      const [theta, phi] = [0.05 + (i / rings) * 3, (2 * Math.PI * j) / around];
      const r = 1 + 0.08 * Math.sin(9 * phi) * Math.sin(theta) * Math.sin(7 * theta);
      [r * Math.sin(theta) * Math.cos(phi), r * Math.sin(theta) * Math.sin(phi), r * Math.cos(theta)].forEach((x, axis) => vertices.writeFloatLE(x, at + 4 * axis));
    }
  for (let i = 0, at = 0; i < rings; ++i)
    for (let j = 0; j < around; ++j) {
      const [a, b] = [i * around + j, i * around + ((j + 1) % around)];
      for (const face of [[a, a + around, b], [b, a + around, b + around]]) {
        faces.writeUInt8(3, at);
        face.forEach((v, k) => faces.writeUInt32LE(v, at + 1 + 4 * k));
        at += 13;
      }
    }
  const header = `ply\nformat binary_little_endian 1.0\nelement vertex ${(rings + 1) * around}\nproperty float x\nproperty float y\nproperty float z\n` +
    `element face ${2 * rings * around}\nproperty list uchar uint vertex_indices\nend_header\n`;
  return Buffer.concat([Buffer.from(header), vertices, faces]);
}

/** Milliseconds until a change of the page is computed, and until it is drawn. */
const timeOf = async (tab: Page, change: string): Promise<{ computed: number; drawn: number }> =>
  tab.evaluate(async (code) => {
    const start = performance.now();
    (0, eval)(code);
    const computed = performance.now() - start;
    await new Promise<void>((done) => { requestAnimationFrame(() => { requestAnimationFrame(() => { done(); }); }); });
    // To read a pixel waits for all that draws.
    (document.getElementById("scene") as HTMLCanvasElement).getContext("webgl2")!.readPixels(0, 0, 1, 1, WebGL2RenderingContext.RGBA, WebGL2RenderingContext.UNSIGNED_BYTE, new Uint8Array(4));
    return { computed, drawn: performance.now() - start };
  }, change);
const turnALittle = `document.getElementById("scene").dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft" }))`;

test("a million triangles stay usable", async () => {
  const page = report("world", file("million.ply", ball(500, 1000)));
  const text = readFileSync(page, "latin1");
  const binary = /<script id="binary"[^>]*>([^<]*)</.exec(text)![1]!.length;
  const mesh = (JSON.parse(/<script id="report"[^>]*>([^<]*)</.exec(text)![1]!) as { meshes: { triangles: number; bytes: number }[] }).meshes[0]!;
  const triangles = mesh.triangles;
  expect(triangles).toBeGreaterThan(990000);
  expect((mesh.bytes * 4) / 3 / triangles).toBeLessThanOrEqual(12); // as base64, as it is in the file
  const start = Date.now();
  const { tab, problems } = await open(page);
  const loading = Date.now() - start;
  expect(await drawn(tab)).toBe(triangles);
  expect(await calls(tab)).toBe(1);
  const redraw = await timeOf(tab, turnALittle);
  console.log(`${triangles} triangles: ${(mesh.bytes / triangles).toFixed(2)} bytes each, ${(binary / 1e6).toFixed(1)} MB of base64 in all, loaded in ${loading} ms, drawn again in ${redraw.drawn.toFixed()} ms`);
  // Drawn by processors that may have other work, too.
  expect(loading).toBeLessThan(20000);
  expect(redraw.drawn).toBeLessThan(8000);
  expect(problems).toEqual([]);
  await tab.close();
});

test("two large bodies among two thousand parts stay usable", async () => {
  file("half.ply", ball(250, 1000));
  file("cube.off", box(0.1, 0.1, 0.1));
  const bodies = [["left", -0.95], ["right", 0.95]].map(([name, x]) => ({ ...place(name as string, "half", x as number, 0, 0), mesh: "half.ply" }));
  const cubes = Array.from({ length: 2000 }, (_, i) => place("cube", "cube", -2 + 0.12 * (i % 50), -3 + 0.12 * Math.floor(i / 50), -1.3));
  const parts = file("many.json", JSON.stringify({ units: "mm", parts: [...bodies, ...cubes] }));
  const { tab, problems } = await open(report("clash", parts, "--depth-budget", "50ms"));
  expect(await drawn(tab)).toBeGreaterThan(1020000);
  expect(await calls(tab)).toBe(1);
  await tab.getByRole("tab", { name: "Parts" }).click();
  expect(await tab.locator(".parts li").count()).toBeLessThan(1000); // a long list is made as it is needed
  const redraw = await timeOf(tab, turnALittle);
  const clash = await timeOf(tab, `location.hash = "#clash-1"; dispatchEvent(new HashChangeEvent("hashchange"))`);
  expect(await tab.locator("#focus-label").textContent()).toContain("piercing");
  expect(await calls(tab)).toBe(4); // the two bodies, ghosts, the outline and its halo
  const middle = (await tab.locator("#scene").boundingBox())!;
  const pick = await timeOf(tab, `for (const type of ["pointerdown", "pointerup"]) document.getElementById("scene").dispatchEvent(
    new PointerEvent(type, { pointerId: 1, clientX: ${middle.x + middle.width / 2}, clientY: ${middle.y + middle.height / 2} }))`);
  expect(await tab.evaluate(() => location.hash)).toMatch(/^#part-[12]$/);
  console.log(`2,002 parts: drawn again in ${redraw.drawn.toFixed()} ms; from a click to its clash ${clash.drawn.toFixed()} ms, of which ${clash.computed.toFixed()} ms until drawing; ` +
    `part under the pointer found in ${pick.computed.toFixed()} ms`);
  expect(redraw.drawn).toBeLessThan(8000);
  expect(clash.drawn).toBeLessThan(12000);
  expect(clash.computed).toBeLessThan(1000);
  expect(pick.computed).toBeLessThan(1000);
  expect(problems).toEqual([]);
  await tab.close();
});

// The folder of real meshes, which tests of the library use, too.
const data = new URL("../../../../shared/data/", import.meta.url).pathname;
const posed = (name: string, source: string, poses: string): string => {
  cpSync(join(data, source), join(folder, name), { recursive: true });
  const script = new URL("../../../scripts/poses_to_parts.py", import.meta.url).pathname;
  return file(`${name}/${name}.json`, execFileSync("python3", [script, join(folder, name, poses)]));
};
// What each is made of, and the least number of pairs that its report lists.
const assemblies: Record<string, [() => string[], number]> = {
  "a rig of 80 parts": [() => [posed("rig", "assembly-dynamixel2r", "poses_dynamixel_2r.json"), "--clearance", "1e-4", "--tolerance", "1e-6"], 31],
  "a robot of 15 parts": [() => [posed("robot", "robot-iiwa14", "poses_iiwa14.json"), "--clearance", "1e-3", "--tolerance", "1e-5"], 9],
  "a building of 33 parts": [() => [join(data, "bim-building/parts")], 31],
  "a watch of 19 parts": [() => [join(data, "watch/parts")], 15],
};
for (const [name, [prepare, least]] of Object.entries(assemblies))
  test(`${name} is shown as the JSON lists it`, async ({ skip }) => {
    if (!existsSync(data)) {
      console.warn(`SKIPPED: ${name}, as there is no ${data}`);
      skip(`there is no ${data}`);
    }
    const json = join(folder, "real.json");
    const page = report("clash", ...prepare(), "--json", json);
    const { parts, pairs } = JSON.parse(readFileSync(json, "utf8")) as { parts: object[]; pairs: { a: string; b: string; class: string; contacts: number; fails: boolean }[] };
    expect(name).toContain(`${parts.length} parts`);
    expect(pairs.length).toBeGreaterThanOrEqual(least);
    const { tab, problems } = await open(page);
    const rows = await tab.locator("#pane-clashes tbody tr").evaluateAll((all) => all.map((row) => {
      const text = (cell: string): (string | null)[] => [...row.querySelectorAll(cell)].map((at) => at.textContent);
      return [text("td:first-child")[0], ...text(".name"), text(".badge")[0], text(".figure")[0]!.replaceAll(",", ""), String((row as HTMLElement).dataset["verdict"] === "fails")];
    }));
    rows.sort(([a], [b]) => Number(a) - Number(b));
    expect(rows).toEqual(pairs.map((pair, i) => [String(i + 1), pair.a, pair.b, pair.class, String(pair.contacts), String(pair.fails)]));
    expect(await tab.locator("#summary").textContent()).toContain(`${pairs.filter((pair) => pair.fails).length} clashes`);
    expect(await calls(tab)).toBe(1);
    for (let i = 0; i < pairs.length; i += Math.floor(pairs.length / 4)) {
      await tab.evaluate((number) => { location.hash = `#clash-${number}`; }, i + 1);
      await settle(tab);
      expect(await tab.locator("#focus-label").textContent()).toContain(`Clash ${i + 1}, ${pairs[i]!.class}`);
      expect(await calls(tab)).toBeLessThanOrEqual(5);
      const { blue, orange } = await colours(tab);
      expect(blue + orange, `clash ${i + 1}`).toBeGreaterThan(100);
    }
    expect(problems).toEqual([]);
    await tab.close();
  });

test("tumble view serves the same page, also with a link", async () => {
  const server = spawn(tumble, ["view", assembly(), "--port", "0"], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const address = await new Promise<string>((found) => { server.stdout.on("data", (data: Buffer) => { found(String(data).split("\n")[0]!); }); });
    const { tab, problems } = await open(address, { link: "#part-1" });
    expect(await tab.locator("#focus-label").textContent()).toBe("plate");
    expect(await tab.locator("#tab-clashes").count()).toBe(0);
    expect(problems).toEqual([]);
    await tab.close();
  } finally {
    server.kill("SIGINT");
  }
});

test("a browser without WebGL says so", async () => {
  const tab = await browser.newPage();
  await tab.addInitScript(() => { HTMLCanvasElement.prototype.getContext = () => null; });
  await tab.goto(pathToFileURL(report("world", assembly())).href);
  await tab.waitForSelector(".failure");
  expect(await tab.locator(".failure").textContent()).toContain("WebGL");
  await tab.close();
});
