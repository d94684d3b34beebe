import { SignatureThread } from './signature-thread.ts'

/** One thread for all: it keeps nothing between jobs. */
export const signatures = new SignatureThread()
