// SPDX-License-Identifier: Apache-2.0
// Takes pictures of a page: node scripts/shoot.mjs PAGE.html OUT.png [WIDTHxHEIGHT] [dark|light] [#LINK] [SCRIPT]
import { chromium } from "playwright-core";
import { pathToFileURL } from "node:url";
import { launchOptions } from "./browser.mjs";

const [page, out, size = "1440x900", theme = "light", link = "", script = ""] = process.argv.slice(2);
const [width, height] = size.split("x").map(Number);
const browser = await chromium.launch(launchOptions);
const tab = await browser.newPage({ viewport: { width, height }, colorScheme: theme, reducedMotion: "reduce" });
tab.on("console", (message) => console.log(message.type(), message.text()));
tab.on("pageerror", (error) => console.log("error", error.message));
await tab.goto(pathToFileURL(page).href + link);
await tab.waitForSelector("body[data-ready]", { timeout: 60000 });
if (script) await tab.evaluate(script);
await tab.waitForTimeout(400);
await tab.screenshot({ path: out });
console.log(await tab.evaluate(() => `${document.body.dataset.triangles} triangles in ${document.body.dataset.calls} calls`));
await browser.close();
