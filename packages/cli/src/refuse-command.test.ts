import { describe, expect, it } from "vitest";
import { refuseCommand } from "./refuse-command.ts";

describe("refuseCommand", () => {
  it("says where flags go, and else which command is meant", () => {
    expect(refuseCommand("--cwd").message).toBe("Flags come after the command: aiw COMMAND --cwd …");
    expect(refuseCommand("lst").message).toBe('There is no command "lst". Did you mean list?');
  });
});
