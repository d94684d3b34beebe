import { Elysia } from 'elysia'
import type { Context } from '#context.ts'
import { belongingPages } from './belonging-pages.tsx'
import { configPages } from './config-pages.tsx'
import { cronPages } from './cron-pages.tsx'
import { emailPages } from './email-pages.tsx'
import { jobPages } from './job-pages.tsx'
import { mailPages } from './mail-pages.tsx'
import { namePages } from './name-pages.tsx'
import { peoplePages } from './people-pages.tsx'
import { personPages } from './person-pages.tsx'
import { summaryPages } from './summary-pages.tsx'

/** What site administrators do, in the browser; what is one room's stands in that room. */
export function adminPages(context: Context) {
  return new Elysia({ name: 'admin.pages' })
    .use(summaryPages(context))
    .use(peoplePages(context))
    .use(personPages(context))
    .use(emailPages(context))
    .use(belongingPages(context))
    .use(namePages(context))
    .use(cronPages(context))
    .use(jobPages(context))
    .use(mailPages(context))
    .use(configPages(context))
}
