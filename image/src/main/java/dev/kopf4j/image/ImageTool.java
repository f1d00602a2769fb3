package dev.kopf4j.image;

import java.io.PrintWriter;
import java.util.spi.ToolProvider;

/** The tool {@code kopf4j-image}, by which {@code kopf4j image} makes images. Thread-safe. */
public final class ImageTool implements ToolProvider {
    @Override
    public String name() {
        return "kopf4j-image";
    }

    @Override
    public int run(PrintWriter out, PrintWriter err, String... arguments) {
        try {
            ImageBuild.of(ImageArguments.parse(arguments)).make(out);
            return 0;
        } catch (ImageException e) {
            err.println(e.getMessage());
            return 1;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            err.println("interrupted");
            return 1;
        }
    }
}
