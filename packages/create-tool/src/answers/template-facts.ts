import type { Template } from "./choices.ts";

/** What is said of a template, and what it is called unless somebody says otherwise. */
export interface TemplateFacts {
  /** For whoever chooses. */
  readonly label: string;
  readonly hint: string;
  readonly tool: string;
  readonly description: string;
}

/** Facts by template. */
export const TEMPLATE_FACTS: Readonly<Record<Template, TemplateFacts>> = {
  function: {
    label: "Function",
    hint: "one function, one tool: the shortest way",
    tool: "count_words",
    description: "A tool for AI agents that counts the words of a text.",
  },
  class: {
    label: "Class",
    hint: "several tools that share code",
    tool: "days_between",
    description: "Tools for AI agents that compute with dates.",
  },
  service: {
    label: "Service",
    hint: "tools that speak to a service, with configuration and a secret",
    tool: "find_tickets",
    description: "Tools for AI agents that find and comment tickets.",
  },
};
