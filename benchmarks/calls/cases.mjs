// The two tools that every contender runs: the same schema, the same work, the same arguments.
import { z } from "zod";

const add = {
  name: "add",
  description: "Adds two numbers.",
  schema: z.object({ a: z.number(), b: z.number() }),
  execute: ({ a, b }) => a + b,
  args: { a: 20, b: 22 },
  wrong: { a: 20, b: "two" },
  expected: 42,
};

const order = {
  name: "order",
  description: "Prices an order.",
  schema: z.object({
    id: z.string(),
    title: z.string().min(1).max(200),
    priority: z.number().int().min(0).max(9),
    discount: z.number(),
    paid: z.boolean(),
    kind: z.enum(["goods", "service", "gift"]),
    tags: z.array(z.string()).max(20),
    note: z.string(),
    customer: z.object({
      name: z.string(),
      age: z.number().int(),
      address: z.object({ street: z.string(), city: z.string(), zip: z.string() }),
    }),
    items: z.array(z.object({ sku: z.string(), quantity: z.number().int(), price: z.number() })),
    limit: z.number(),
    window: z.object({ from: z.string(), to: z.string() }),
  }),
  execute: ({ items, discount }) => items.reduce((sum, { quantity, price }) => sum + quantity * price, 0) - discount,
  args: {
    id: "o-1093",
    title: "Two lamps and a chair",
    priority: 2,
    discount: 2.5,
    paid: true,
    kind: "goods",
    tags: ["home", "light", "spring"],
    note: "Leave it at the door.",
    customer: {
      name: "Ada Lovelace",
      age: 36,
      address: { street: "12 St James's Square", city: "London", zip: "SW1Y" },
    },
    items: [
      { sku: "lamp-7", quantity: 2, price: 30 },
      { sku: "chair-1", quantity: 1, price: 84.5 },
    ],
    limit: 500,
    window: { from: "2026-03-01", to: "2026-03-08" },
  },
  wrong: undefined,
  expected: 142,
};
order.wrong = { ...order.args, items: [{ sku: "lamp-7", quantity: "two", price: 30 }] };

export const CASES = { add, order };
