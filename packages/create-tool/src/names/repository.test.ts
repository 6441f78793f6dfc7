import { describe, expect, it } from "vitest";
import { toRepository } from "./repository.ts";

describe("toRepository", () => {
  it.each([
    "acme/tickets",
    "github:acme/tickets",
    "https://github.com/acme/tickets",
    "https://github.com/acme/tickets/",
    "git+https://github.com/acme/tickets.git",
    "git@github.com:acme/tickets.git",
    "git+ssh://git@github.com/acme/tickets.git",
  ])("reads %s", (text) => {
    expect(toRepository(text)).toEqual({ owner: "acme", name: "tickets" });
  });

  it.each([
    "",
    "tickets",
    "acme/",
    "acme/..",
    "acme/.git",
    "-acme/x",
    "a/b/c",
    "https://example.com/acme/tickets",
    "acme/tick ets",
    'acme/"x',
    "acme/x\ny",
  ])("refuses %j", (text) => {
    expect(toRepository(text)).toBeUndefined();
  });
});
