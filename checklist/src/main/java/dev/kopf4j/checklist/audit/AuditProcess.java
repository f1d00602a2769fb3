package dev.kopf4j.checklist.audit;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts JVMs that run tests of a module, as surefire does: in its folder. */
final class AuditProcess {
    private AuditProcess() {}

    /**
     * Starts one.
     *
     * @param main the program
     * @param agentArgument what {@link AuditAgent} is told
     * @param log where its output goes
     */
    static Process start(AuditedModule module, Class<?> main, String agentArgument, Path log, List<String> arguments)
            throws IOException {
        Path agent = module.target().resolve("audit-agent.jar");
        if (!Files.exists(agent)) {
            AuditAgent.writeJar(agent);
        }
        List<String> command = new ArrayList<>(List.of(
                ProcessHandle.current().info().command().orElse("java"),
                "-Xmx1g",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-javaagent:" + agent + "=" + agentArgument,
                "-cp",
                module.classPath() + File.pathSeparator + System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(arguments);
        return new ProcessBuilder(command)
                .directory(module.folder().toFile())
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
    }

    /** Ends it and what it has started. */
    static void kill(Process process) throws InterruptedException {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly().waitFor();
    }
}
