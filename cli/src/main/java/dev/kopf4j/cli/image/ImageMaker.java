package dev.kopf4j.cli.image;

import dev.kopf4j.cli.process.CommandException;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.ServiceLoader;
import java.util.spi.ToolProvider;
import java.util.stream.Stream;

/**
 * The tool that makes images, in the folder beside that of the program's own jars.
 *
 * @param program the jar of this program
 */
public record ImageMaker(Path program) {
    private static final String TOOL = "kopf4j-image";

    /** Makes an image; returns the tool's exit code. Messages of people's mistakes go to the second writer. */
    public int make(PrintWriter out, PrintWriter err, List<String> arguments) throws IOException {
        Path libraries = program.resolveSibling("../lib-image").normalize();
        if (!Files.isDirectory(libraries)) {
            throw CommandException.usage(
                    "There is no " + libraries + ": images are made by the program as it is distributed.");
        }
        try (Stream<Path> jars = Files.list(libraries)) {
            URL[] urls = jars.filter(jar -> jar.toString().endsWith(".jar"))
                    .sorted()
                    .map(ImageMaker::url)
                    .toArray(URL[]::new);
            try (URLClassLoader loader = new URLClassLoader("images", urls, ClassLoader.getPlatformClassLoader())) {
                return tool(loader).run(out, err, arguments.toArray(String[]::new));
            }
        }
    }

    private static URL url(Path jar) {
        try {
            return jar.toUri().toURL();
        } catch (IOException e) {
            throw new IllegalStateException("a file has no address: " + jar, e);
        }
    }

    private static ToolProvider tool(ClassLoader loader) {
        return ServiceLoader.load(ToolProvider.class, loader).stream()
                .map(ServiceLoader.Provider::get)
                .filter(each -> each.name().equals(TOOL))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("the distribution has no tool " + TOOL));
    }
}
