import DefaultTheme from 'vitepress/theme'
import './site.css'
import { keepTabs } from './tabs.ts'

/** Redirects old links to operations, `/docs#tag/…`, to the reference. */
if (typeof window !== 'undefined' && /^#(tag|description|model)\b/.test(location.hash) && /^\/docs\/?$/.test(location.pathname))
  location.replace(`/docs/reference${location.hash}`)

if (typeof window !== 'undefined') keepTabs()

export default DefaultTheme
