import { type Ident, zoneMinutes } from '../objects/ident.ts'

const days = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** The letters that say how `%ad` and its like write a time; those whose answer depends on the day it is asked are not among them. */
export const dateStyles: Readonly<Record<string, (who: Ident) => string>> = {
  /** git's own: `Thu Apr 7 15:13:13 2005 -0700`. */
  d: (who) => {
    const { day, month, date, year, time } = partsOf(who)
    return `${day} ${month} ${date} ${time} ${year} ${who.zone}`
  },
  /** RFC 2822: `Thu, 7 Apr 2005 15:13:13 -0700`. */
  D: (who) => {
    const { day, month, date, year, time } = partsOf(who)
    return `${day}, ${date} ${month} ${year} ${time} ${who.zone}`
  },
  /** `2005-04-07 15:13:13 -0700`. */
  i: (who) => `${partsOf(who).iso} ${partsOf(who).time} ${who.zone}`,
  /** ISO 8601: `2005-04-07T15:13:13-07:00`. */
  I: (who) => {
    const { iso, time } = partsOf(who)
    return `${iso}T${time}${zoneMinutes(who.zone) === 0 ? 'Z' : `${who.zone.slice(0, 3)}:${who.zone.slice(3)}`}`
  },
  /** `2005-04-07`. */
  s: (who) => partsOf(who).iso,
  /** Seconds since 1970. */
  t: (who) => String(who.seconds),
}

function partsOf({ seconds, zone }: Ident): { day: string; month: string; date: number; year: number; iso: string; time: string } {
  const local = new Date((seconds + zoneMinutes(zone) * 60) * 1000)
  // Beyond what a `Date` can tell there is nothing better than where it begins.
  const known = Number.isNaN(local.getTime()) ? new Date(0) : local
  const two = (value: number) => String(value).padStart(2, '0')
  const year = known.getUTCFullYear()
  return {
    day: days[known.getUTCDay()] as string,
    month: months[known.getUTCMonth()] as string,
    date: known.getUTCDate(),
    year,
    iso: `${String(year).padStart(4, '0')}-${two(known.getUTCMonth() + 1)}-${two(known.getUTCDate())}`,
    time: `${two(known.getUTCHours())}:${two(known.getUTCMinutes())}:${two(known.getUTCSeconds())}`,
  }
}
