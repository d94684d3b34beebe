import Bowser from 'bowser'

/** A browser in words, "Firefox 128 on Linux", by its User-Agent header. @returns undefined when it names none that is known */
export function nameBrowser(agent: string): string | undefined {
  if (agent.trim() === '') return undefined
  const { browser, os } = Bowser.parse(agent)
  // Without a system it is a program of its own, whose text says more than a guess.
  if (!browser.name || !os.name) return undefined
  const [major] = (browser.version ?? '').split('.')
  // The system's version is left out: browsers have frozen what they send of it.
  return `${[browser.name, major].filter(Boolean).join(' ')} on ${os.name}`
}
