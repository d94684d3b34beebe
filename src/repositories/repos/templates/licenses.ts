import licensesFile from 'spdx-license-list/spdx-full.json' with { type: 'file' }

/** A licence that a repository can start with. */
export interface License {
  /** SPDX identifier. */
  key: string
  text: string
}

type SpdxFile = Record<string, { licenseText: string }>

let loaded: Promise<Map<string, License>> | undefined

/** What most people take, for the top of lists. */
const preferred = ['Apache-2.0', 'MIT']

/** All licences of the SPDX list by lower-case key, in the order of lists; read when first asked for. */
export function licenses(): Promise<Map<string, License>> {
  loaded ??= readLicenses()
  return loaded
}

/** By SPDX identifier, in any case. */
export async function findLicense(key: string): Promise<License | undefined> {
  return (await licenses()).get(key.toLowerCase())
}

/** The text with year and holder filled in where the licence leaves room for them. */
export function fillLicense({ text }: License, holder: string, year: number): string {
  const filled = text
    .replace(/<year>|\[year\]|\[yyyy\]|\{year\}|\{yyyy\}|<yyyy>/gi, String(year))
    .replace(
      /<copyright holders?>|\[(full)?name\]|\[name of copyright owner\]|\{name of copyright owner\}|<owner>|<name of author>|\[copyright holders?\]|<holders?>/gi,
      () => holder,
    )
  return `${filled.trimEnd()}\n`
}

async function readLicenses(): Promise<Map<string, License>> {
  const file = (await Bun.file(licensesFile).json()) as SpdxFile
  const rest = Object.keys(file).filter((key) => !preferred.includes(key))
  const keys = [...preferred, ...rest.sort((a, b) => a.localeCompare(b, 'en'))]
  return new Map(keys.map((key) => [key.toLowerCase(), { key, text: (file[key] as SpdxFile[string]).licenseText }]))
}
