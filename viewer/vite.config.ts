// SPDX-License-Identifier: Apache-2.0
// Builds dist/page.html: one file with script, style, licences and a content-security policy that allows only these.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

const hash = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/** The licence of what is bundled, as a comment that cannot end early. */
function licence(): string {
  const text = readFileSync(new URL("node_modules/three/LICENSE", import.meta.url), "utf8").trim();
  return `/*! tumble viewer: SPDX-License-Identifier: Apache-2.0\n\nIt contains three.js:\n${text}\n*/\n`;
}

function onePage(): Plugin {
  return {
    name: "one-page",
    enforce: "post",
    generateBundle(_, bundle) {
      const files = Object.values(bundle);
      const page = files.find((file) => file.fileName === "index.html");
      const chunk = files.find((file) => file.type === "chunk");
      const css = files.find((file) => file.fileName.endsWith(".css"));
      if (page?.type !== "asset" || css?.type !== "asset" || chunk?.type !== "chunk" || files.length !== 3)
        throw new Error(`one page, one script and one style are expected, not ${Object.keys(bundle).join(", ")}`);
      // Nothing in a script element may look like its end.
      const script = `${licence()}${chunk.code.trim()}\n`.replaceAll("</script", "<\\/script").replaceAll("<!--", "<\\!--");
      const style = String(css.source).trim();
      const policy = [
        "default-src 'none'", `script-src ${hash(script)}`, `style-src ${hash(style)}`, "img-src data:",
        "base-uri 'none'", "form-action 'none'",
      ].join("; ");
      const html = String(page.source)
        .replace(/\s*<script type="module"[^>]*><\/script>/, "")
        .replace(/\s*<link rel="stylesheet"[^>]*>/, "")
        .replace("{{POLICY}}", () => policy)
        .replace("<!--STYLE-->", () => `<style>${style}</style>`)
        .replace("<!--SCRIPT-->", () => `<script type="module">${script}</script>`);
      for (const name of Object.keys(bundle)) Reflect.deleteProperty(bundle, name);
      this.emitFile({ type: "asset", fileName: "page.html", source: html });
    },
  };
}

export default defineConfig({
  plugins: [onePage()],
  build: { target: "es2022", modulePreload: false, cssCodeSplit: false, assetsInlineLimit: 0, chunkSizeWarningLimit: 1000 },
  test: { testTimeout: 60000 },
});
