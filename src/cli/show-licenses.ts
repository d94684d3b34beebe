import { bundledPackages } from './bundled-packages.ts' with { type: 'macro' }
import type { Session } from './environment.ts'
import { painter, table } from './terminal.ts'

export interface LicensesOptions {
  full?: boolean
  json?: boolean
}

/** What of others the executable contains, and under which terms. */
export function showLicenses({ full, json }: LicensesOptions, { out }: Session): void {
  const packages = bundledPackages()
  if (json) return out.print(JSON.stringify(packages, null, 2))
  const paint = painter(out)
  if (full) {
    for (const { name, version, license, text } of packages) out.print(`${paint('bold', `${name} ${version}`)}: ${license}\n\n${text || '(no license file)'}\n`)
    return
  }
  const rows = packages.map(({ name, version, license }) => [name, version, license])
  out.print(table([['PACKAGE', 'VERSION', 'LICENSE'], ...rows], (text, row) => (row === 0 ? paint('bold', text) : text)))
}
