package dev.kopf4j.cli.source;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import org.jspecify.annotations.Nullable;

/**
 * The files of libraries, as javac reads them. A class path that somebody else has composed, as that of tests, stays
 * the same as long as the program runs: its jars are opened and listed for the first compilation only, which takes most
 * of the time of each. Thread-safe: those who share them compile one after another.
 */
final class LibraryFiles {
    private static @Nullable StandardJavaFileManager shared; // guarded by this class

    private LibraryFiles() {}

    /** A compilation. */
    interface Use<R> {
        /** Compiles; does not close the files. */
        R with(StandardJavaFileManager files) throws IOException;
    }

    /** Compiles with files that nobody else uses meanwhile, and that may have been read before. */
    static <R> R share(JavaCompiler javac, Use<R> use) throws IOException {
        synchronized (LibraryFiles.class) {
            StandardJavaFileManager files = shared == null ? open(javac) : shared;
            shared = files;
            boolean usable = false;
            try {
                R result = use.with(files);
                usable = !Thread.currentThread().isInterrupted(); // which closes the jar that is being read
                return result;
            } finally {
                if (!usable) {
                    shared = null;
                    files.close();
                }
            }
        }
    }

    /** Compiles with files that are read once. */
    static <R> R own(JavaCompiler javac, Use<R> use) throws IOException {
        try (StandardJavaFileManager files = open(javac)) {
            return use.with(files);
        }
    }

    private static StandardJavaFileManager open(JavaCompiler javac) {
        return javac.getStandardFileManager(null, Locale.ROOT, StandardCharsets.UTF_8);
    }
}
