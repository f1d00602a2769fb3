package dev.kopf4j.benchmarks.process;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** The sockets that a process has open. */
final class OpenSockets {
    private OpenSockets() {}

    /** Their number; -1 if the system does not know. */
    static int of(long pid) {
        Path folder = Path.of("/proc", Long.toString(pid), "fd");
        int sockets = 0;
        try (DirectoryStream<Path> files = Files.newDirectoryStream(folder)) {
            for (Path file : files) {
                sockets += isSocket(file) ? 1 : 0;
            }
            return sockets;
        } catch (IOException e) {
            return -1;
        }
    }

    private static boolean isSocket(Path file) throws IOException {
        try {
            return Files.readSymbolicLink(file).toString().startsWith("socket:");
        } catch (NoSuchFileException e) {
            return false; // closed meanwhile
        }
    }
}
