package dev.kopf4j.checklist.audit;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Audits rows one after the other: finds the changes for each, and asks its tests. Confined to one thread. */
final class Audit {
    /** More changes of one row would take too long: then some of all of them are taken, evenly. */
    private static final int MUTANTS_MAX = 60;

    private final List<AuditedModule> modules;
    private final RecordedLines recorded;

    Audit(List<AuditedModule> modules, RecordedLines recorded) {
        this.modules = modules;
        this.recorded = recorded;
    }

    /** What the tests of a row have noticed. */
    RowResult of(String row) throws IOException, InterruptedException {
        Set<CodeLine> lines = recorded.linesOf(row);
        List<Mutant> mutants = thinnedOut(mutants(lines));
        Set<Mutant> survivors = new LinkedHashSet<>(mutants);
        for (AuditedModule module : modules) {
            List<PlannedMutant> planned = planned(row, module, survivors);
            if (!planned.isEmpty()) {
                List<Boolean> killed = new RowAudit(row, module).killed(planned);
                for (int i = 0; i < planned.size(); i++) {
                    if (killed.get(i)) {
                        survivors.remove(planned.get(i).mutant());
                    }
                }
            }
        }
        return new RowResult(row, recorded.of(row).size(), mutants.size(), List.copyOf(survivors));
    }

    private static List<Mutant> thinnedOut(List<Mutant> mutants) {
        List<Mutant> taken = new ArrayList<>();
        int count = Math.min(mutants.size(), MUTANTS_MAX);
        for (int i = 0; i < count; i++) {
            taken.add(mutants.get((int) ((long) i * mutants.size() / count)));
        }
        return taken;
    }

    private List<PlannedMutant> planned(String row, AuditedModule module, Set<Mutant> mutants) {
        List<RecordedTest> tests = recorded.of(row).stream()
                .filter(test -> test.module().equals(module.name()))
                .toList();
        return mutants.stream()
                .map(mutant -> new PlannedMutant(
                        mutant,
                        tests.stream()
                                .filter(test -> test.lines().contains(mutant.line()))
                                .map(RecordedTest::selector)
                                .toList()))
                .filter(planned -> !planned.tests().isEmpty())
                .toList();
    }

    private List<Mutant> mutants(Set<CodeLine> lines) throws IOException {
        Map<String, Set<Integer>> byType = lines.stream()
                .collect(Collectors.groupingBy(
                        CodeLine::type, TreeMap::new, Collectors.mapping(CodeLine::number, Collectors.toSet())));
        List<Mutant> found = new ArrayList<>();
        try (URLClassLoader loader = new URLClassLoader(urls())) {
            for (Map.Entry<String, Set<Integer>> type : byType.entrySet()) {
                Path file = file(type.getKey());
                ProductClass content = new ProductClass(Files.readAllBytes(file), loader);
                found.addAll(content.mutants(type.getKey(), type.getValue()::contains));
            }
        }
        return found;
    }

    private URL[] urls() throws IOException {
        List<URL> urls = new ArrayList<>();
        for (AuditedModule module : modules) {
            urls.add(module.classes().toUri().toURL());
        }
        return urls.toArray(URL[]::new);
    }

    private Path file(String type) throws IOException {
        String name = type.replace('.', '/') + ".class";
        return modules.stream()
                .map(module -> module.classes().resolve(name))
                .filter(Files::exists)
                .findFirst()
                .orElseThrow(() -> new IOException("no module has the class " + type));
    }
}
