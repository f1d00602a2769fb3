package dev.kopf4j.checklist.audit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The program behind {@code checklist/audit}: prints a table, and which rows have tests that notice nothing. */
public final class Main {
    private static final long RECORDING_MAX_MINUTES = 30;

    private Main() {}

    /**
     * The root of the repository, the folder that each module was built into, the modules whose tests count, separated
     * by commas, and the rows: all if none are named.
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<AuditedModule> modules =
                AuditedModule.find(Path.of(arguments[0]).toAbsolutePath().normalize(), Path.of(arguments[1]));
        List<String> counted = List.of(arguments[2].split(",", -1));
        List<AuditedModule> tested = modules.stream()
                .filter(module -> counted.contains(module.name()))
                .toList();
        record(tested, modules);
        RecordedLines recorded = RecordedLines.read(tested);
        List<String> named = List.of(Arrays.copyOfRange(arguments, 3, arguments.length));
        Audit audit = new Audit(modules, recorded);
        List<String> blind = new ArrayList<>();
        System.out.print(RowResult.head());
        for (String row : named.isEmpty() ? recorded.rows() : named) {
            try {
                RowResult result = audit.of(row);
                System.out.println(result.line());
                if (result.killed() == 0) {
                    blind.add(row);
                }
            } catch (IOException e) {
                System.out.println("| " + row + " | | | | " + e.getMessage() + " |");
                blind.add(row);
            }
        }
        System.out.println(
                "\nRows whose tests notice nothing: " + (blind.isEmpty() ? "none" : String.join(", ", blind)));
    }

    /** What was recorded holds until a class is built anew that the tests may execute. */
    private static void record(List<AuditedModule> tested, List<AuditedModule> modules)
            throws IOException, InterruptedException {
        for (AuditedModule module : tested) {
            Path known = module.recordedLines();
            if (!Files.exists(known) || isOlder(known, module, modules)) {
                record(module);
            }
        }
    }

    private static boolean isOlder(Path recorded, AuditedModule module, List<AuditedModule> modules)
            throws IOException {
        FileTime time = Files.getLastModifiedTime(recorded);
        for (AuditedModule other : modules) {
            if (module.uses(other) && time.compareTo(other.built()) < 0) {
                return true;
            }
        }
        return false;
    }

    private static void record(AuditedModule module) throws IOException, InterruptedException {
        System.err.println("Recording which lines the tests of " + module.name() + " execute ...");
        Path log = module.target().resolve("audit-recording.log");
        Files.deleteIfExists(module.recordedLines());
        Process process = AuditProcess.start(
                module,
                RecordingRun.class,
                AuditAgent.RECORDING,
                log,
                List.of(module.testClasses().toString(), module.recordedLines().toString()));
        if (!process.waitFor(RECORDING_MAX_MINUTES, TimeUnit.MINUTES)) {
            AuditProcess.kill(process);
        }
        if (!Files.exists(module.recordedLines())) {
            throw new IOException("the tests of " + module.name() + " did not come to their end: see " + log);
        }
    }
}
