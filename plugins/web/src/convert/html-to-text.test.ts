import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { htmlToText } from "./html-to-text.ts";

describe("htmlToText", () => {
  it.each([
    ["<p>a</p><p>b</p>", "a\n\nb"],
    ["<ul><li>a<li>b</ul>", "a\nb"],
    ["a<br>b", "a\nb"],
    ["<table><tr> <td>a</td> <td>b</td></tr></table>", "a\tb"],
    ["<pre>a\n  b</pre>", "a\n  b"],
    ["a  \n b", "a b"],
    ["<script>if (a < b) x();</script>t", "t"],
    ["<style>p > a {}</style><svg><text>s</text></svg>t", "t"],
    ["<!-- <p>no</p> -->t<!doctype html><?xml?>", "t"],
    ['<a title="a > b">t</a>', "t"],
    ["1 < 2 &amp;&lt; &#65;&#x42; &copy; &nope; &#x110000;", "1 < 2 &< AB © &nope; \u{FFFD}"],
    ["<SCRIPT>x</ScRiPt >t", "t"],
    ["<svg>unclosed<p>t", "unclosed\nt"],
    ["t<script>never closed", "t"],
    ["t<p", "t"],
  ])("reads %j as %j", (html, text) => {
    expect(htmlToText(html)).toBe(text);
  });

  it.each(["<svg>", "<script>", "<", "<!--", '<a b="', "</", "<head>", "<select>x", "<p>", "&", "<x "])(
    "is done with a mebibyte of %j at once",
    { timeout: 5000 },
    (unit) => {
      expect(htmlToText(unit.repeat(2 ** 20 / unit.length)).length).toBeLessThanOrEqual(2 ** 20);
    },
  );

  it("leaves no tag of well-formed markup and survives any text", () => {
    fc.assert(
      fc.property(
        fc.array(
          fc.oneof(
            fc.constantFrom(
              "<b>",
              "</b>",
              "<script>",
              "</script>",
              "<pre>",
              "<!--",
              "-->",
              "<a href='",
              "'",
              ">",
              "&#",
            ),
            fc.string(),
          ),
        ),
        (parts) => {
          const text = htmlToText(parts.join(""));
          expect(text).toBe(text.trim());
          expect(text).not.toMatch(/\n\n\n/);
        },
      ),
    );
  });
});
