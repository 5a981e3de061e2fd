import { ActionIcon, useComputedColorScheme, useMantineColorScheme } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useRouter, useRouterState } from '@tanstack/react-router'
import { lazy, type ReactElement, Suspense, useEffect, useRef, useState } from 'react'
import { answer, GET, POST } from './api'
import { Badge, useWaiting } from './badges'
import { useLive, useLiveFigures } from './live'
import { watchHistory } from './parts/breadcrumb'
import { Icon, type IconName } from './parts/icons'
import { Toast } from './parts/toast'
import { leave, type Permission, useIsMerchantWide, usePermission, useSession } from './session'
import { areLettersOn, shortcutOfPage } from './shortcuts'

const Palette = lazy(() => import('./palette'))
const ShortcutsDialog = lazy(() => import('./shortcuts-dialog'))

/**
 * A page of the navigation. `whole`: the page shows data of the whole merchant, so users whose role holds only for
 * some profiles do not see it.
 */
type Place = { to: string; name: string; icon: IconName; key: string; needs: Permission | 'operator'; whole?: true }

/** The pages of the navigation, in groups. */
export const places: readonly { name: string | null; places: readonly Place[] }[] = [
  { name: null, places: [{ to: '/', name: 'Home', icon: 'home', key: 'h', needs: 'analytics:read' }] },
  {
    name: 'Money',
    places: [
      { to: '/payments', name: 'Payments', icon: 'card', key: 'p', needs: 'payments:read' },
      { to: '/refunds', name: 'Refunds', icon: 'back', key: 'r', needs: 'payments:read' },
      { to: '/disputes', name: 'Disputes', icon: 'flag', key: 'd', needs: 'payments:read' },
      { to: '/payouts', name: 'Payouts', icon: 'up', key: 'o', needs: 'payments:read' },
      { to: '/customers', name: 'Customers', icon: 'people', key: 'c', needs: 'payments:read', whole: true },
      { to: '/ledger', name: 'Ledger', icon: 'scales', key: 'l', needs: 'ledger:read' },
      { to: '/reconciliation', name: 'Reconciliation', icon: 'bank', key: 'm', needs: 'ledger:read' },
      { to: '/approvals', name: 'Approvals', icon: 'tick', key: 'y', needs: 'payments:read' },
    ],
  },
  {
    name: 'Routing',
    places: [
      { to: '/routing', name: 'Rules', icon: 'mark', key: 'u', needs: 'routing:read' },
      { to: '/routing/try', name: 'Test routing', icon: 'mark', key: 'v', needs: 'routing:simulate' },
      { to: '/connectors', name: 'Connectors', icon: 'plug', key: 'n', needs: 'connectors:health' },
      { to: '/analytics', name: 'Analytics', icon: 'chart', key: 'a', needs: 'analytics:read' },
    ],
  },
  {
    name: 'Developers',
    places: [
      { to: '/developers/keys', name: 'API keys', icon: 'key', key: 'k', needs: 'api_keys:read' },
      { to: '/developers/webhooks', name: 'Webhooks', icon: 'hook', key: 'w', needs: 'webhooks:read' },
      { to: '/developers/events', name: 'Events', icon: 'bolt', key: 'e', needs: 'logs:read' },
      { to: '/developers/logs', name: 'Request log', icon: 'lines', key: 'q', needs: 'logs:read', whole: true },
    ],
  },
  {
    name: 'Settings',
    places: [
      { to: '/settings/profiles', name: 'Profiles', icon: 'gear', key: 's', needs: 'profiles:read' },
      { to: '/settings/blocklist', name: 'Blocklist', icon: 'ban', key: 'b', needs: 'blocklist:read' },
      { to: '/settings/team', name: 'Team', icon: 'people', key: 't', needs: 'users:read' },
      { to: '/settings/audit', name: 'Audit log', icon: 'book', key: 'i', needs: 'audit:own' },
      { to: '/settings/jobs', name: 'Jobs', icon: 'stack', key: 'j', needs: 'operator' },
    ],
  },
]

/** Returns a function that says whether the user sees a page, by the role and the profiles it holds for. */
export function useSees(): (place: Place) => boolean {
  const may = usePermission()
  const isWhole = useIsMerchantWide()
  return ({ needs, whole }) => may(needs) && (isWhole || !whole)
}

const isField = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))

/** The actions of letters that work on every page. */
const focusOn = (selector: string) => () => document.querySelector<HTMLElement>(selector)?.focus()
const everywhere: Readonly<Record<string, () => void>> = {
  f: focusOn('.filters .chip:not(.on) button'),
  t: focusOn('[data-period], [aria-label="Period"] input:checked'),
  j: focusOn('a.row-link'),
}

type Opens = { palette(): void; scheme(): void; keys(): void }

/** Handles the keyboard shortcuts of all pages: `g` and a letter open a page; others are in `shortcuts.ts`. */
function useKeys({ palette, scheme, keys }: Opens): void {
  const navigate = useNavigate()
  const goes = useRef<number | null>(null)
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        return palette()
      }
      const isElsewhere = isField(event.target) || document.querySelector('[role="dialog"]') !== null
      if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || isElsewhere || !areLettersOn()) return
      const goesOn = goes.current !== null && event.timeStamp - goes.current < 1500
      goes.current = null
      const place = goesOn ? places.flatMap(group => group.places).find(one => one.key === event.key) : undefined
      const act = { '/': palette, D: scheme, '?': keys }[event.key] ?? shortcutOfPage(event.key) ?? everywhere[event.key]
      if (place) void navigate({ to: place.to })
      else if (event.key === 'g') goes.current = event.timeStamp
      else if (act) {
        event.preventDefault()
        act()
      }
    }
    document.addEventListener('keydown', onKeyDown)
    return () => document.removeEventListener('keydown', onKeyDown)
  }, [navigate, palette, scheme, keys])
}

function Sidebar({ isOpen, close }: { isOpen: boolean; close(): void }): ReactElement {
  const { user } = useSession()
  const sees = useSees()
  const waiting = useWaiting()
  const merchant = user?.merchants.find(({ merchant_id }) => merchant_id === user.merchant_id)
  return (
    <aside className="nav" data-open={isOpen || undefined}>
      <div className="brand">
        <Icon name="mark" size={24} />
        <span>
          <b>{merchant?.merchant_name ?? user?.merchant_id}</b>
          <small>
            {user?.role ?? 'operator of the deployment'}
            {user?.profile_ids && (user.profile_ids.length === 1 ? ' in one profile' : ` in ${user.profile_ids.length} profiles`)}
          </small>
        </span>
      </div>
      <nav aria-label="Pages of the dashboard">
        {places
          .filter(group => group.places.some(sees))
          .map(group => (
            <div key={group.name}>
              {group.name !== null && <p className="group">{group.name}</p>}
              {group.places.filter(sees).map(place => (
                <Link
                  key={place.to}
                  to={place.to}
                  activeOptions={{ exact: place.to === '/' || place.to === '/routing', includeSearch: false }}
                  activeProps={{ 'aria-current': 'page' }}
                  onClick={close}
                >
                  <Icon name={place.icon} />
                  {place.name}
                  <Badge of={waiting.get(place.to)} />
                </Link>
              ))}
            </div>
          ))}
      </nav>
      <p className="foot">
        <a href="/docs" target="_blank" rel="noreferrer" className="link">
          Interface
        </a>
      </p>
    </aside>
  )
}

/** Ends the session at the service first, and then in this page. */
const signOut = () => void answer(POST('/user/sign_out', { body: {} })).finally(() => leave())

export function Shell(): ReactElement {
  const { user } = useSession()
  const { data: deployment } = useQuery({
    queryKey: ['deployment'],
    queryFn: () => answer(GET('/deployment')),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const [isMenuOpen, setMenuOpen] = useState(false)
  const [palette, setPalette] = useState<'never opened' | 'open' | 'closed'>('never opened')
  const { setColorScheme } = useMantineColorScheme()
  const scheme = useComputedColorScheme('light')
  const changeScheme = () => setColorScheme(scheme === 'dark' ? 'light' : 'dark')
  const [isShowingKeys, setShowingKeys] = useState(false)
  const openPalette = () => setPalette('open')
  const showKeys = () => setShowingKeys(true)
  useKeys({ palette: openPalette, scheme: changeScheme, keys: showKeys })
  const { history } = useRouter()
  useEffect(() => watchHistory(listener => history.subscribe(listener)), [history])
  useLive()
  useLiveFigures('attention')
  const path = useRouterState({ select: state => state.location.pathname })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page is what closes the menu
  useEffect(() => setMenuOpen(false), [path])
  return (
    <div className="app">
      <a href="#page" className="skip">
        To the page
      </a>
      <Sidebar isOpen={isMenuOpen} close={() => setMenuOpen(false)} />
      {isMenuOpen && <button type="button" className="veil" aria-label="Close the menu" onClick={() => setMenuOpen(false)} />}
      <div className="main">
        <header className="top">
          <ActionIcon
            className="narrow"
            variant="subtle"
            size={44}
            aria-label="Menu"
            aria-expanded={isMenuOpen}
            onClick={() => setMenuOpen(!isMenuOpen)}
          >
            <Icon name="menu" />
          </ActionIcon>
          {deployment?.mode === 'test' && <span className="mode">Test</span>}
          <button type="button" className="find" onClick={openPalette}>
            <Icon name="search" />
            <span>Search or run a command</span>
            <kbd>Ctrl K</kbd>
          </button>
          <span className="grow" />
          <ActionIcon className="wide" variant="subtle" size={32} aria-label="All keys" title="All keys (?)" onClick={showKeys}>
            <Icon name="keyboard" />
          </ActionIcon>
          <ActionIcon
            variant="subtle"
            size={32}
            aria-label={scheme === 'dark' ? 'Light' : 'Dark'}
            title="Light or dark (Shift D)"
            onClick={changeScheme}
          >
            <Icon name={scheme === 'dark' ? 'sun' : 'moon'} />
          </ActionIcon>
          <Link to="/settings/account" className="me" aria-label="Your account" title={user?.email}>
            <Icon name="person" />
          </Link>
          <ActionIcon variant="subtle" size={32} aria-label="Sign out" title={`Sign out ${user?.email ?? ''}`} onClick={signOut}>
            <Icon name="out" />
          </ActionIcon>
        </header>
        <main className="page" id="page" tabIndex={-1}>
          <Outlet />
        </main>
      </div>
      {palette !== 'never opened' && (
        <Suspense>
          <Palette isOpen={palette === 'open'} close={() => setPalette('closed')} changeScheme={changeScheme} showKeys={showKeys} />
        </Suspense>
      )}
      <Suspense>{isShowingKeys && <ShortcutsDialog close={() => setShowingKeys(false)} />}</Suspense>
      <Toast />
    </div>
  )
}
