import { test } from 'bun:test'

/** The part of `test` of `bun:test` that tests which build on each other need. */
export interface OrderedTest {
  (name: string, run: () => unknown, timeout?: number): void
  each: typeof test.each
}

/**
 * Returns a `test` for a file that tells one long story. Tests run in random order, or only one of them does: each test first runs
 * those that stand before it, unless they have run, so it always finds what they left. Whether an earlier one failed does not matter here;
 * it says so in its own name.
 * @param before runs before each of them, as `beforeEach` would in the order of the file
 */
export function testsInOrder(before: () => unknown = () => {}): OrderedTest {
  const steps: (() => unknown)[] = []
  const ends: Promise<unknown>[] = []

  function add(run: () => unknown): () => Promise<unknown> {
    const index = steps.push(run) - 1
    return () => runTo(index)
  }

  async function runTo(index: number): Promise<unknown> {
    for (let next = ends.length; next <= index; next++) {
      const earlier = ends[next - 1]?.catch(() => {})
      const end = Promise.resolve(earlier).then(before).then(steps[next])
      end.catch(() => {})
      ends.push(end)
    }
    return await ends[index]
  }

  const ordered = (name: string, run: () => unknown, timeout?: number) => test(name, add(run), timeout)
  const each = (rows: readonly unknown[]) => (name: string, run: (...row: unknown[]) => unknown) => {
    for (const row of rows)
      test.each([row])(
        name,
        add(() => run(...(Array.isArray(row) ? row : [row]))),
      )
  }
  return Object.assign(ordered, { each: each as typeof test.each })
}
