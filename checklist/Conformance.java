import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/**
 * Runs the conformance tests of Kubernetes whose names are recorded in the tests of the dev cluster, each in a process
 * of its own, against a new dev cluster of this tree or against any other cluster.
 */
class Conformance {
    private static final String USAGE = """
            checklist/conformance --program FILE [options]

              --program FILE     e2e.test of Kubernetes 1.33: make WHAT=test/e2e/e2e.test in its sources
              --kubeconfig FILE  an administrator's, of another cluster, which has two nodes that are ready;
                                 default: a new dev cluster of this tree, which must be built
              --only REGEX       only the tests whose names have it
              --passing          only the tests that are recorded as passing
              --jobs N           how many at once; default 4; those that are [Serial] one by one
              --limit SECONDS    how long each may take; default 100
              --record           write the results into the tests of the dev cluster
            Exit code 0 if all that are recorded as passing pass, otherwise 1; 2 on wrong usage.
            """;
    private static final String RECORDED = "devcluster/src/test/resources/conformance-specs/results.tsv";
    private static final Pattern SPECIAL = Pattern.compile("[\\[\\](){}.*+?|^$\\\\/]");
    private static final int GRACE = 45;

    private final Path root;
    private Path program = Path.of("e2e.test");
    private Path kubeconfig = Path.of("");
    private Pattern only = Pattern.compile("");
    private boolean passing;
    private boolean record;
    private int jobs = 4;
    private int limit = 100;

    private Conformance(Path root) {
        this.root = root;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Conformance conformance = new Conformance(Path.of(args[0]).toRealPath());
        if (!conformance.reads(List.of(args).subList(1, args.length))) {
            System.err.print(USAGE);
            System.exit(2);
        }
        System.exit(conformance.run() ? 0 : 1);
    }

    private boolean reads(List<String> options) {
        boolean named = false;
        for (int at = 0; at < options.size(); at++) {
            String option = options.get(at);
            if (option.equals("--passing")) {
                passing = true;
                continue;
            }
            if (option.equals("--record")) {
                record = true;
                continue;
            }
            if (at + 1 == options.size()) {
                return false;
            }
            String value = options.get(++at);
            try {
                switch (option) {
                    case "--program" -> program = Path.of(value).toAbsolutePath();
                    case "--kubeconfig" -> kubeconfig = Path.of(value).toAbsolutePath();
                    case "--only" -> only = Pattern.compile(value);
                    case "--jobs" -> jobs = Integer.parseInt(value);
                    case "--limit" -> limit = Integer.parseInt(value);
                    default -> {
                        return false;
                    }
                }
            } catch (IllegalArgumentException e) {
                System.err.println(option + " " + value + ": " + e.getMessage());
                return false;
            }
            named |= option.equals("--program");
        }
        return named && Files.isExecutable(program) && jobs > 0 && limit > 0;
    }

    private boolean run() throws IOException, InterruptedException {
        Map<String, String> recorded = new LinkedHashMap<>();
        for (String line : Files.readAllLines(root.resolve(RECORDED))) {
            recorded.put(line.substring(line.indexOf('\t') + 1), line.substring(0, line.indexOf('\t')));
        }
        List<String> chosen = recorded.keySet().stream()
                .filter(name -> only.matcher(name).find())
                .filter(name -> !passing || recorded.get(name).equals("PASS"))
                .toList();
        Path folder = Files.createTempDirectory("conformance");
        System.out.println("output of each test: " + folder);
        if (!kubeconfig.toString().isEmpty()) {
            return judge(results(chosen, folder), recorded);
        }
        kubeconfig = folder.resolve("kubeconfig");
        Process cluster = new ProcessBuilder(
                        root.resolve("kopf4j").toString(),
                        "devcluster",
                        "--rbac",
                        "--workloads",
                        "--root-certificate",
                        "--nodes",
                        "2",
                        "--kubeconfig",
                        kubeconfig.toString())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("devcluster.log").toFile())
                .start();
        try {
            while (!Files.exists(kubeconfig)) {
                if (cluster.waitFor(100, TimeUnit.MILLISECONDS)) {
                    throw new IOException(Files.readString(folder.resolve("devcluster.log")));
                }
            }
            return judge(results(chosen, folder), recorded);
        } finally {
            cluster.destroy();
        }
    }

    private Map<String, String> results(List<String> names, Path folder) throws InterruptedException {
        Map<String, String> results = new TreeMap<>();
        for (boolean serial : new boolean[] {false, true}) {
            List<Callable<String>> tests = new ArrayList<>();
            for (String name : names) {
                if (name.contains("[Serial]") == serial) {
                    tests.add(() -> name + "\t" + result(name, folder));
                }
            }
            try (ExecutorService threads = Executors.newFixedThreadPool(serial ? 1 : jobs)) {
                for (Future<String> test : threads.invokeAll(tests)) {
                    String[] result = test.get().split("\t", 2);
                    results.put(result[0], result[1]);
                }
            } catch (ExecutionException e) {
                throw new IllegalStateException("a test cannot be run: " + e.getCause(), e);
            }
        }
        return results;
    }

    private String result(String name, Path folder) throws IOException, InterruptedException {
        Path log = folder.resolve(name.replaceAll("[^A-Za-z0-9]+", "-").substring(0, Math.min(name.length() / 2, 100))
                + Integer.toHexString(name.hashCode()) + ".log");
        Process test = new ProcessBuilder(
                        program.toString(),
                        "--kubeconfig=" + kubeconfig,
                        "--provider=local",
                        "--ginkgo.focus=" + SPECIAL.matcher(name).replaceAll("\\\\$0") + "$",
                        "--ginkgo.no-color",
                        "--ginkgo.timeout=" + limit + "s",
                        "--allowed-not-ready-nodes=-1",
                        "--minStartupPods=0",
                        "--system-daemonsets-startup-timeout=1s",
                        "--disable-log-dump",
                        "--kube-api-content-type=application/vnd.kubernetes.protobuf")
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        boolean ended = test.waitFor(limit + GRACE, TimeUnit.SECONDS);
        if (!ended) {
            test.destroyForcibly().waitFor();
        }
        String text = Files.readString(log);
        String result;
        if (ended && test.exitValue() == 0 && text.contains("1 Passed")) {
            result = "PASS";
        } else if (!ended || text.contains("Timedout") || text.contains("A suite timeout occurred")) {
            result = "TIME";
        } else {
            result = "FAIL";
        }
        System.out.println(result + "  " + name + (result.equals("PASS") ? "" : "  (" + log.getFileName() + ")"));
        return result;
    }

    private boolean judge(Map<String, String> results, Map<String, String> recorded) throws IOException {
        List<String> worse = new ArrayList<>();
        results.forEach((name, result) -> {
            if (recorded.get(name).equals("PASS") && !result.equals("PASS")) {
                worse.add(result + "  " + name);
            }
        });
        long passed = results.values().stream().filter("PASS"::equals).count();
        System.out.println(passed + " of " + results.size() + " pass");
        if (!worse.isEmpty()) {
            System.out.println("recorded as passing:\n  " + String.join("\n  ", worse));
        }
        if (record) {
            recorded.putAll(results);
            StringBuilder lines = new StringBuilder();
            recorded.forEach((name, result) -> lines.append(result).append('\t').append(name).append('\n'));
            Files.writeString(root.resolve(RECORDED), lines);
        }
        return worse.isEmpty();
    }
}
