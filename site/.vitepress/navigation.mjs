// The order of the pages: by what a reader wants. Each page stands in one place.
const page = (text, link) => ({ text, link })

const start = [
  page('First operator', '/first-operator'),
  page('Tutorial', '/examples/00-tutorial'),
  page('Examples', '/examples/'),
  page('Maven and Gradle', '/dependency'),
]

const handling = [
  page('Handlers', '/handlers'),
  page('Call an outside API', '/outside-apis'),
  page('Steps', '/steps'),
  page('Children', '/children'),
  page('Owners, names and labels', '/hierarchies'),
  page('Timers', '/timers'),
  page('At a time of day', '/schedules'),
  page('Daemons', '/daemons'),
  page('Indices', '/indexing'),
  page('Secrets that change', '/watch-secrets'),
  page('Memos', '/memos'),
  page('Kubernetes events', '/events'),
  page('Activities', '/activities'),
  page('Types and definitions', '/types'),
  page('Admission webhooks', '/admission'),
  page('Conversion', '/conversion'),
]

const testing = [
  page('Tests', '/testing'),
  page('The dev cluster', '/devcluster'),
  page('The dev cluster for everybody', '/devcluster-for-everybody'),
]

const running = [
  page('Into production', '/production'),
  page('Argo CD, Flux, Helm, Velero', '/gitops'),
  page('Memory and CPU', '/sizing'),
  page('One namespace', '/one-namespace'),
  page('Credentials', '/credentials'),
  page('Replicas and peering', '/peering'),
  page('Shards', '/shards'),
  page('Many objects', '/scaling'),
  page('Upgrading an operator', '/upgrading'),
  page('Uninstall an operator', '/uninstalling'),
  page('Spring Boot', '/spring-boot'),
  page('Inside an application', '/embedding'),
]

const looking = [
  page('Troubleshooting', '/troubleshooting'),
  page('Why was it not called', '/why'),
  page('What has happened', '/history'),
  page('The console', '/console'),
  page('Probes, metrics, traces, logs', '/observability'),
]

const reference = [
  page('Annotations', '/annotations'),
  page('Parameters', '/parameters'),
  page('Settings', '/settings'),
  page('Command line', '/command-line'),
  page('Commands and options', '/commands'),
  page('What is stored', '/stored'),
  page('Compatibility', '/compatibility'),
  page('Coverage of the dev cluster', '/devcluster-coverage'),
  page('Glossary', '/glossary'),
]

const understand = [
  page('Guarantees', '/guarantees'),
  page('Architecture', '/architecture'),
  page('Decisions', '/decisions'),
  page('Benchmarks', '/benchmarks'),
]

const comingFrom = [
  page('Kopf', '/coming-from-kopf'),
  page('Java Operator SDK', '/coming-from-java-operator-sdk'),
  page('controller-runtime', '/coming-from-controller-runtime'),
]

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

const group = (text, items) => ({ text, items })

export const sidebar = [
  group('Start', start),
  group('Coming from', comingFrom),
  group('How to: write', handling),
  group('How to: test', testing),
  group('How to: run', running),
  group('How to: find out', looking),
  group('Reference', reference),
  group('Understand', understand),
  group('The project', project),
]
