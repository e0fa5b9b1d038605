// SPDX-License-Identifier: Apache-2.0
// Store: the state of the page in one place. Modules read it, change it, and are told what changed.

/** What the page is about at the moment: a row of the table, a part, or everything. */
export type Focus = { kind: "clash" | "part"; index: number } | null;
export type Axis = "x" | "y" | "z";
export type Theme = "dark" | "light";

export interface State {
  focus: Focus;
  rows: readonly number[]; // of the table of clashes: those that are listed, in their order
  hidden: ReadonlySet<number>; // parts
  explode: number; // 0: as they are
  section: { axis: Axis; at: number; flipped: boolean } | null; // at: at most 1 + explode from the middle
  level: number | null; // of bounding volumes
  step: number; // of the motion
  playing: boolean;
  up: "y" | "z";
  theme: Theme;
}

type Listener = (state: State) => void;

export class Store {
  #state: State;
  readonly #listeners: { keys: (keyof State)[]; tell: Listener }[] = [];

  constructor(state: State) {
    this.#state = state;
  }

  get state(): State {
    return this.#state;
  }

  set(change: Partial<State>): void {
    const keys = (Object.keys(change) as (keyof State)[]).filter((key) => change[key] !== this.#state[key]);
    if (keys.length === 0) return;
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners)
      if (listener.keys.some((key) => keys.includes(key))) listener.tell(this.#state);
  }

  /** Calls at once, and whenever one of the keys changes. */
  watch(keys: (keyof State)[], tell: Listener): void {
    this.#listeners.push({ keys, tell });
    tell(this.#state);
  }
}
