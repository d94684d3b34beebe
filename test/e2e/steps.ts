/** The steps of one story, by what each says: `'ada pushes': async () => …`. */
export type Steps = Record<string, () => unknown>

/**
 * Runs the steps of one story in their order and stops at the first that fails. Tests run in random order, so steps that need
 * what earlier steps did are one test.
 * @throws Error that names the failed step; its cause is what the step threw
 */
export async function steps(story: Steps): Promise<void> {
  const names = Object.keys(story)
  for (const [i, name] of names.entries()) {
    try {
      await story[name]?.()
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      throw new Error(`Step ${i + 1} of ${names.length} failed: ${name}\n${message}`, { cause: error })
    }
  }
}
