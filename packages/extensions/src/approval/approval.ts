import { assertApprovalSettings, type ApprovalSettings, type ConfigureExtension, type Extension } from "@aiw/executor";
import type { ApprovalConfig } from "@aiw/core";

/** How people are asked about calls. */
export interface ApprovalOptions extends ApprovalSettings {
  /** `approval` unless named; two of one executor need two names. */
  readonly name?: string;
}

/**
 * Says which calls people are asked about, who asks, how long answers count and how far they reach.
 * @throws AiwError `config_invalid` for settings that could not mean what their author thinks.
 */
export function approval({ name = "approval", ...settings }: ApprovalOptions = {}): Extension {
  assertApprovalSettings(settings, name);
  return { name, stage: "approval", approval: Object.freeze({ ...settings }) };
}

/** Makes it from `extensions.approval`; the mode is `policy.approval`, and who is asked is the host's to say. */
export const configure: ConfigureExtension<ApprovalConfig> = (settings) =>
  approval({ ...settings, name: "extensions.approval" });
