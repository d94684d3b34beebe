import { toMathml } from './mathml.ts'

/** The most TeX and MathML of one text, in characters. Further formulas are shown as their source. */
const MAX_SOURCE = 100_000
const MAX_MATHML = 2 * 1024 * 1024
const mark = /\0\d+\0/g

/**
 * The formulas of a text. Their MathML is put in behind the sanitizer, which lets no MathML through: parsers disagree about what is inside it, and
 * people's own would be a way around the sanitizer. Until then a mark stands for each, with NULs around, which no text has.
 */
export class Formulas {
  readonly #made: string[] = []
  #source = MAX_SOURCE
  #mathml = MAX_MATHML

  /** Returns the mark of a formula, or undefined when its source is to be shown because it is wrong or too long. */
  add(tex: string, isBlock: boolean): string | undefined {
    this.#source -= tex.length
    const made = this.#source < 0 ? undefined : toMathml(tex, isBlock)
    if (made === undefined || (this.#mathml -= made.length) < 0) return undefined
    return `\0${this.#made.push(made) - 1}\0`
  }

  /**
   * A mark that an attribute swallowed is left out: the quotes in MathML would end the attribute.
   * @param html sanitized: no `>` in attributes
   */
  putInto(html: string): string {
    if (this.#made.length === 0) return html
    return html.replace(/<[^>]*>|\0(\d+)\0/g, (found, index?: string) => (index === undefined ? found.replace(mark, '') : (this.#made[Number(index)] ?? '')))
  }
}
