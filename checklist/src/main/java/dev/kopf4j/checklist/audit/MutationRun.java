package dev.kopf4j.checklist.audit;

import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.UnmodifiableClassException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Objects;

/**
 * The program that makes one change after the other, runs the tests that have to notice, and takes the change back. It
 * writes a line for each, and is killed when nothing comes for too long.
 */
public final class MutationRun {
    /** Written once the tests have passed without any change. */
    static final String READY = "ready";

    /** Written where the tests have not passed without any change: nothing that they say counts. */
    static final String BROKEN = "broken";

    /** Written for a change that a test has noticed. */
    static final String KILLED = "killed";

    /** Written for a change that no test has noticed. */
    static final String SURVIVED = "survived";

    private final TestRun tests = new TestRun();
    private final Writer out;

    private MutationRun(Writer out) {
        this.out = out;
    }

    /** The file with the planned changes, the number of the first one, and the file to be written. */
    public static void main(String[] arguments) throws Exception {
        List<PlannedMutant> all = Files.readAllLines(Path.of(arguments[0])).stream()
                .map(PlannedMutant::parse)
                .toList();
        try (Writer out =
                Files.newBufferedWriter(Path.of(arguments[2]), StandardOpenOption.CREATE, StandardOpenOption.APPEND)) {
            new MutationRun(out).run(all.subList(Integer.parseInt(arguments[1]), all.size()));
        }
        // Threads that changed code has left behind do not keep the process.
        Runtime.getRuntime().halt(0);
    }

    private void run(List<PlannedMutant> planned) throws Exception {
        List<String> everyTest = planned.stream()
                .flatMap(each -> each.tests().stream())
                .distinct()
                .toList();
        boolean sound = tests.passes(everyTest);
        say(sound ? READY : BROKEN);
        for (PlannedMutant each : planned) {
            if (!sound) {
                return;
            }
            sound = noticed(each);
        }
    }

    /**
     * Returns false if the tests fail also after the change was taken back: this process is of no use any more then.
     */
    private boolean noticed(PlannedMutant planned) throws Exception {
        Class<?> type = Class.forName(planned.mutant().line().type());
        byte[] content = content(type);
        define(type, new ProductClass(content, type.getClassLoader()).with(planned.mutant()));
        boolean survived = tests.passes(planned.tests());
        define(type, content);
        say(survived ? SURVIVED : KILLED);
        return survived || tests.passes(planned.tests());
    }

    private static byte[] content(Class<?> type) throws IOException {
        String file = type.getName().substring(type.getPackageName().length() + 1) + ".class";
        try (InputStream stream = Objects.requireNonNull(type.getResourceAsStream(file), file)) {
            return stream.readAllBytes();
        }
    }

    private static void define(Class<?> type, byte[] content)
            throws ClassNotFoundException, UnmodifiableClassException {
        AuditAgent.instrumentation().redefineClasses(new ClassDefinition(type, content));
    }

    private void say(String word) throws IOException {
        out.write(word + "\n");
        out.flush();
    }
}
