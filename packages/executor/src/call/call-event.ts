import type { ActivityEventData, ActivityEventType } from "@aiw/core";

/** The types of events between the beginning of a call and its end. */
export type CallEventType = Exclude<ActivityEventType, "tool_call_start" | "tool_call_end" | "error">;

/** What happens within a call, in the words of its events. */
export type CallEvent = {
  [Type in CallEventType]: { readonly type: Type; readonly data: ActivityEventData[Type] };
}[CallEventType];
