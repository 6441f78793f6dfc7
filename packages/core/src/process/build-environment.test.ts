import { describe, expect, it } from "vitest";
import { buildEnvironment } from "./build-environment.ts";

const HOST = {
  PATH: "/usr/bin",
  HOME: "/home/me",
  LC_ALL: "C",
  LC_TIME: "C",
  TERM: "xterm",
  NODE_OPTIONS: "-r ./x",
  LD_PRELOAD: "./x.so",
  BASH_ENV: "./x",
  SECRET_KEY: "s",
  HTTPS_PROXY: "http://p",
  http_proxy: "http://p",
  "BASH_FUNC_ls%%": "() { rm x; }",
};

describe("buildEnvironment", () => {
  it("passes allowed names on and nothing else (SEC-SH-6)", () => {
    const environment = buildEnvironment(HOST);
    expect(environment).toMatchObject({ PATH: "/usr/bin", HOME: "/home/me", LC_ALL: "C", LC_TIME: "C" });
    for (const name of [
      "NODE_OPTIONS",
      "LD_PRELOAD",
      "BASH_ENV",
      "SECRET_KEY",
      "HTTPS_PROXY",
      "http_proxy",
      "BASH_FUNC_ls%%",
    ]) {
      expect(environment).not.toHaveProperty(name);
    }
  });

  it("passes no locale in whose encoding the text of a command reads otherwise", () => {
    const environment = buildEnvironment({ LANG: "zh_CN.GB18030", LC_ALL: "ja_JP.SJIS", LC_TIME: "de_DE.UTF-8" });
    expect(environment).toMatchObject({ LC_TIME: "de_DE.UTF-8" });
    expect(environment).not.toHaveProperty("LANG");
    expect(environment).not.toHaveProperty("LC_ALL");
  });

  it("sets what keeps programs from asking, paging and drawing", () => {
    expect(buildEnvironment(HOST)).toMatchObject({
      CI: "1",
      TERM: "dumb",
      PAGER: "cat",
      EDITOR: "false",
      GIT_TERMINAL_PROMPT: "0",
      NO_COLOR: "1",
    });
  });

  it("passes what the operator names, and proxies when told", () => {
    const environment = buildEnvironment(HOST, { passed: ["SECRET_KEY"], proxy: true });
    expect(environment).toMatchObject({ SECRET_KEY: "s", HTTPS_PROXY: "http://p", http_proxy: "http://p" });
  });

  it("takes the caller's own variables last, prototype names included", () => {
    const added = JSON.parse('{"LC_ALL": "C.UTF-8", "constructor": "x"}') as Record<string, string>;
    const environment = buildEnvironment(HOST, { added });
    expect(environment.LC_ALL).toBe("C.UTF-8");
    expect(Object.keys(environment)).toContain("constructor");
    expect(Object.getPrototypeOf(environment)).toBeNull();
  });
});
