import type { ActivityEvent, ActivityEventOf, ActivityEventType, ActivityStream } from "@aiw/core";

/** The events of a stream since recording began. */
export interface RecordedEvents {
  readonly events: readonly ActivityEvent[];
  /** The types in order, of one call if named. */
  types(callId?: string): ActivityEventType[];
  of<Type extends ActivityEventType>(type: Type): ActivityEventOf<Type>[];
  /** Events that end a call: exactly one for every call that has ended. */
  terminal(callId: string): ActivityEvent[];
  stop(): void;
}

/** Records every event of a stream from now on. */
export function recordEvents(stream: ActivityStream): RecordedEvents {
  const events: ActivityEvent[] = [];
  const stop = stream.subscribe("*", (event) => events.push(event));
  return {
    events,
    stop,
    types: (callId) =>
      events.filter((event) => callId === undefined || event.callId === callId).map(({ type }) => type),
    of: <Type extends ActivityEventType>(type: Type) =>
      events.filter((event): event is ActivityEventOf<Type> & ActivityEvent => event.type === type),
    terminal: (callId) =>
      events.filter((event) => event.callId === callId && (event.type === "tool_call_end" || event.type === "error")),
  };
}
