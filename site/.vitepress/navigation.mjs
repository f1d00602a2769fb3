// The order of the pages: by what a reader wants. Each page stands in one place.
const page = (text, link) => ({ text, link })

const start = [
  page('First operator', '/first-operator'),
  page('Tutorial', '/examples/00-tutorial'),
  page('Examples', '/examples/'),
]

const handling = [
  page('Handlers', '/handlers'),
  page('Steps', '/steps'),
  page('Timers', '/timers'),
  page('Daemons', '/daemons'),
  page('Activities', '/activities'),
  page('Children', '/children'),
  page('Owners, names and labels', '/hierarchies'),
  page('Types and definitions', '/types'),
  page('Indices', '/indexing'),
  page('Memos', '/memos'),
  page('Kubernetes events', '/events'),
  page('Admission webhooks', '/admission'),
  page('Conversion', '/conversion'),
]

const running = [
  page('Tests', '/testing'),
  page('The dev cluster', '/devcluster'),
  page('Into production', '/production'),
  page('Upgrading an operator', '/upgrading'),
  page('Credentials', '/credentials'),
  page('Replicas and peering', '/peering'),
  page('Many objects', '/scaling'),
  page('Probes, metrics, logs', '/observability'),
  page('What has happened', '/history'),
  page('Spring Boot', '/spring-boot'),
  page('Inside an application', '/embedding'),
]

const reference = [
  page('Settings', '/settings'),
  page('Command line', '/command-line'),
  page('Coverage of the dev cluster', '/devcluster-coverage'),
  page('Glossary', '/glossary'),
]

const understand = [
  page('Guarantees', '/guarantees'),
  page('Architecture', '/architecture'),
  page('Decisions', '/decisions'),
  page('Benchmarks', '/benchmarks'),
]

const comingFrom = [page('Kopf', '/coming-from-kopf')]

const project = [
  page('Changes', '/changelog'),
  page('Contributing', '/contributing'),
  page('Security', '/security'),
  page('Code of conduct', '/code-of-conduct'),
  page('Maintainers', '/maintainers'),
]

export const navigation = [
  page('Start', start[0].link),
  page('How to', handling[0].link),
  page('Reference', reference[0].link),
  page('Understand', understand[0].link),
]

const group = (text, items) => ({ text, items, collapsed: false })

export const sidebar = [
  group('Start', start),
  group('How to: handlers', handling),
  group('How to: running', running),
  group('Reference', reference),
  group('Understand', understand),
  group('Coming from', comingFrom),
  group('The project', project),
]
