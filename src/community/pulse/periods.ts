const DAY = 86_400

/** Periods by their names in addresses, which are Gitea's. */
export const periods = {
  daily: { words: 'Day', days: 1, isOffered: true },
  halfweekly: { words: '3 days', days: 3, isOffered: false },
  weekly: { words: 'Week', days: 7, isOffered: true },
  monthly: { words: 'Month', days: 30, isOffered: true },
  quarterly: { words: '3 months', days: 90, isOffered: true },
  semiyearly: { words: '6 months', days: 182, isOffered: false },
  yearly: { words: 'Year', days: 365, isOffered: true },
} as const
export type Period = keyof typeof periods

export function isPeriod(text: string): text is Period {
  return Object.hasOwn(periods, text)
}

/** When a period began, to the hour: within one hour everybody asks the same. */
export function beginOf(period: Period, now: number): number {
  const hour = Math.floor(now / 3600) * 3600
  return Math.max(0, hour - periods[period].days * DAY)
}
