export { renderOffer } from './offer.tsx'
