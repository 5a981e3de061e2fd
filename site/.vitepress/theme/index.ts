import DefaultTheme from 'vitepress/theme'
import './site.css'
import { keepTabs } from './tabs.ts'

/** An operation was once at `/docs#tag/…`, and still is for those who have the link. */
if (typeof window !== 'undefined' && /^#(tag|description|model)\b/.test(location.hash) && /^\/docs\/?$/.test(location.pathname))
  location.replace(`/docs/reference${location.hash}`)

if (typeof window !== 'undefined') keepTabs()

export default DefaultTheme
