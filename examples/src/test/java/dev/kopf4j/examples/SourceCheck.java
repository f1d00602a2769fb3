package dev.kopf4j.examples;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** Compiles the source of a public class that uses whatever an operator may use. */
final class SourceCheck {
    private static final String IMPORTS = """
            import dev.kopf4j.*;
            import dev.kopf4j.devcluster.DevCluster;
            import dev.kopf4j.testing.*;
            import java.time.*;
            import java.util.*;
            import org.slf4j.Logger;
            """;

    private SourceCheck() {}

    /** What the compiler has to say; empty if all is well. The classes are in the folder then. */
    static String messages(Path folder, String name, List<String> members, String... options) throws IOException {
        String code = IMPORTS + "public class " + name + " {\n" + String.join("\n", members) + "\n}\n";
        Path source = Files.writeString(folder.resolve(name + ".java"), code);
        List<String> all = Stream.concat(
                        Stream.of("-proc:none", "-Xmaxerrs", "1000", "-d", folder.toString()), Stream.of(options))
                .toList();
        var messages = new StringWriter();
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            compiler.getTask(messages, files, null, all, null, files.getJavaFileObjects(source))
                    .call();
        }
        return messages.toString();
    }
}
