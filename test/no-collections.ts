/**
 * Elysia asks for a garbage collection for each part of an app that it builds, and the product after very large work. In a process that runs
 * hundreds of files of tests each one walks a heap of hundreds of megabytes; here it is left to the engine.
 */
export const collectGarbage = Bun.gc

Bun.gc = () => 0
