import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { WebAsset } from './assets.ts'

/** The script as browsers get it, put in by `build/compile.ts`. */
declare const COMPILED_SCRIPT: string | undefined

const directory = join(import.meta.dir, 'script')
const source = asset(typeof COMPILED_SCRIPT === 'undefined' ? readSources() : COMPILED_SCRIPT)
let bundled: Promise<WebAsset> | undefined

/** What the pages do besides where scripts run: `script/main.ts` with all that it imports. Its name changes with what it is made of. */
export const scriptName = source.name

/** Run from source it is put together when it is first asked for. */
export function readScript(): Promise<WebAsset> {
  bundled ??= typeof COMPILED_SCRIPT === 'undefined' ? bundleScript().then(asset) : Promise.resolve(source)
  return bundled
}

function asset(text: string): WebAsset {
  return new WebAsset('pages', 'js', 'text/javascript; charset=utf-8', text)
}

function readSources(): string {
  const files = readdirSync(directory).filter((name) => name.endsWith('.ts'))
  return files
    .sort()
    .map((name) => readFileSync(join(directory, name), 'utf8'))
    .join('\n')
}

/** @throws AggregateError with what the bundler found */
export async function bundleScript(): Promise<string> {
  const { outputs } = await Bun.build({ entrypoints: [join(directory, 'main.ts')], target: 'browser', format: 'esm', minify: true })
  return (outputs[0] as Blob).text()
}
