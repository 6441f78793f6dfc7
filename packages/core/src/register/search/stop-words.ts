/**
 * Words that requests have in common whatever is asked for: articles, pronouns, prepositions, auxiliaries, and how people ask.
 * Verbs that name what a tool does (get, list, find, show, make) are not among them.
 */
const STOP_WORDS: ReadonlySet<string> = new Set(
  `a an the this that these those some any each every all both either no not only own same such other another
   i me my mine myself we us our ours you your yours he him his she her hers it its they them their theirs
   who whom whose which what when where why how someone somebody something anyone anybody anything everyone everything
   and or but nor if then else than because as while so though although
   of at by for with about against between into through during before after above below to from up down in out on off over under
   within without per via upon onto toward towards among around here there
   is am are was were be been being do does did doing done have has had having can could shall should will would may might must
   let lets want wants wanted need needs needed like please help wish able
   very too just also again further once more most much many few now yet still ever never really actually currently right
   s t d ll re ve m don doesn didn isn aren wasn won wouldn couldn shouldn`.split(/\s+/u),
);

/** Tells a word that says nothing of what a tool does. */
export function isStopWord(word: string): boolean {
  return STOP_WORDS.has(word);
}
