import { describe, expect, it } from "vitest";
import { convertHtml } from "./convert-html.ts";

function toMarkdown(html: string, mainContent = false): string {
  return convertHtml({ html, url: "https://site.test/dir/page?x=1", format: "markdown", mainContent }).content;
}

describe("convertHtml", () => {
  it.each([
    ['<a href="../x">t</a>', "[t](https://site.test/x)"],
    ['<a href="//other.test/">t</a>', "[t](https://other.test/)"],
    ['<base href="https://base.test/b/"><a href="c">t</a>', "[t](https://base.test/b/c)"],
    ['<base href="javascript:x"><a href="c">t</a>', "[t](https://site.test/dir/c)"],
    ['<img src="i.png" alt="t">', "![t](https://site.test/dir/i.png)"],
  ])("makes the link of %s absolute", (html, markdown) => {
    expect(toMarkdown(html)).toBe(markdown);
  });

  it.each([
    '<a href="javascript:alert(1)">t</a>',
    '<a href="data:text/html,x">t</a>',
    't<img src="data:image/png;base64,AAAA" alt="no">',
    "t<script>no</script>",
    "t<style>no</style>",
    "t<svg><text>no</text></svg>",
    "t<template>no</template>",
    '<iframe src="https://no.test">no</iframe>t',
    "t<object>no</object>",
    "t<!-- no -->",
    '<img srcset="data:image/png;base64,AAAA 1x">t',
  ])("keeps only the text of %s", (html) => {
    expect(toMarkdown(html)).toBe("t");
  });

  it("keeps tables, with pipes escaped and spans filled", () => {
    const html =
      "<table><caption>C</caption><thead><tr><th>a<th>b</thead><tbody><tr><td>1|2<td><p>x<p>y<tr><td colspan=2>w</table>";
    expect(toMarkdown(html)).toBe("C\n\n| a | b |\n| --- | --- |\n| 1\\|2 | x y |\n| w |  |");
  });

  it("reads tables that only place things as text", () => {
    expect(toMarkdown("<table><tr><td><h1>a</h1></td><td>b</td></tr></table>")).toBe("# a\n\nb");
    expect(toMarkdown('<table role="presentation"><tr><td>a<td>b</table>')).toBe("a\n\nb");
  });

  it("fences code whatever it contains", () => {
    expect(toMarkdown('<pre class="lang-sh">a\n```\nb &lt; c</pre>')).toBe("````sh\na\n```\nb < c\n````");
    expect(toMarkdown("<pre><code>x</code></pre>")).toBe("```\nx\n```");
  });

  it.each([
    "<p>t",
    "t",
    "<title>x</title><p>t",
    "<html><p>t</html>",
    "<!-- c --><html><body>t",
    "\ufeff<!doctype html><html><head></head><body><p>t",
  ])("finds the text of %j", (html) => {
    expect([toMarkdown(html), toMarkdown(html, true)]).toEqual(["t", "t"]);
  });

  it.each(["", " ", "<html></html>", "<frameset><frame src=x></frameset>", "<!-- -->"])(
    "gives nothing for %j",
    (html) => {
      expect(toMarkdown(html, true)).toBe("");
    },
  );

  it.each(["</div>", ""])("gives plain text beyond 512 levels", (closing) => {
    const deep = (levels: number) =>
      convertHtml({
        html: `${"<div>".repeat(levels)}t${closing.repeat(levels)}`,
        url: "https://site.test/",
        format: "markdown",
        mainContent: false,
      });
    expect(deep(400)).toMatchObject({ content: "t", extraction: "full" });
    expect(deep(600)).toMatchObject({ content: "t", extraction: "text" });
    expect(deep(200_000)).toMatchObject({ content: "t", extraction: "text" });
  });

  it("does not take long lists of unclosed paragraphs for nesting", () => {
    expect(
      convertHtml({
        html: "<p>t<ul>" + "<li>i".repeat(2000),
        url: "https://site.test/",
        format: "markdown",
        mainContent: false,
      }).extraction,
    ).toBe("full");
  });

  it("reads title, author and date", () => {
    const html =
      '<head><title>T</title><meta name="author" content="Ann"><meta property="article:published_time" content="2026-01-02"></head><body><p>t';
    expect(convertHtml({ html, url: "https://site.test/", format: "text", mainContent: false })).toMatchObject({
      title: "T",
      byline: "Ann",
      published: "2026-01-02",
    });
  });

  it("lists at most a hundred links, each once, for plain text", () => {
    const html = Array.from({ length: 300 }, (_, index) => `<a href="/${index % 150}">${index}</a>`).join("");
    const { links } = convertHtml({ html, url: "https://site.test/", format: "text", mainContent: false });
    expect(links).toHaveLength(100);
    expect(links?.[1]).toEqual({ text: "1", url: "https://site.test/1" });
  });
});
