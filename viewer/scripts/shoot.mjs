// SPDX-License-Identifier: Apache-2.0
// Takes pictures of a page: node scripts/shoot.mjs PAGE.html OUT.png [WIDTHxHEIGHT] [dark|light] [#LINK] [SCRIPT]
// The script can press keys on the scene, and press buttons and move sliders of the fields under View.
import { chromium } from "playwright-core";
import { pathToFileURL } from "node:url";
import { launchOptions } from "./browser.mjs";

const [page, out, size = "1440x900", theme = "light", link = "", script = ""] = process.argv.slice(2);
const helpers = `
  const press = (...keys) => { for (const key of keys) document.getElementById("scene").dispatchEvent(new KeyboardEvent("keydown", { key, bubbles: true })); };
  const field = (title) => [...document.querySelectorAll("fieldset")].find((f) => f.textContent.startsWith(title));
  const choose = (title, value) => field(title).querySelector('button[data-value="' + value + '"]').click();
  const slide = (title, value) => { const s = field(title).querySelector("input"); s.value = value; s.dispatchEvent(new Event("input")); };
  const flip = () => [...field("Section").querySelectorAll("button")].at(-1).click();
  const tab = (name) => document.getElementById("tab-" + name).click();
`;
const [width, height] = size.split("x").map(Number);
const browser = await chromium.launch(launchOptions);
const tab = await browser.newPage({ viewport: { width, height }, colorScheme: theme, reducedMotion: "reduce" });
tab.on("console", (message) => console.log(message.type(), message.text()));
tab.on("pageerror", (error) => console.log("error", error.message));
await tab.goto(pathToFileURL(page).href + link);
await tab.waitForSelector("body[data-ready]", { timeout: 60000 });
if (script) await tab.evaluate(`{ ${helpers} ${script} }`);
await tab.waitForTimeout(400);
await tab.screenshot({ path: out });
console.log(await tab.evaluate(() => `${document.body.dataset.triangles} triangles in ${document.body.dataset.calls} calls`));
await browser.close();
