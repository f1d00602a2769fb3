package dev.kopf4j.checklist.audit;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.instrument.Instrumentation;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import org.jspecify.annotations.Nullable;

/** Lets the processes of the audit change classes. Thread-safe. */
public final class AuditAgent {
    /** The argument of the agent in a process that notes which lines are executed. */
    static final String RECORDING = "recording";

    private static volatile @Nullable Instrumentation instrumentation;

    private AuditAgent() {}

    /** Called by the JVM before the program. */
    public static void premain(@Nullable String argument, Instrumentation given) {
        instrumentation = given;
        if (RECORDING.equals(argument)) {
            given.addTransformer(new LineRecordingTransformer());
        }
    }

    static Instrumentation instrumentation() {
        return Objects.requireNonNull(instrumentation, "the process runs without the agent");
    }

    /** Writes the jar that names the agent to the JVM; the classes are on the class path. */
    static void writeJar(Path jar) throws IOException {
        Manifest manifest = new Manifest();
        Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.putValue("Premain-Class", AuditAgent.class.getName());
        attributes.putValue("Can-Redefine-Classes", "true");
        try (OutputStream out = Files.newOutputStream(jar)) {
            new JarOutputStream(out, manifest).close();
        }
    }
}
