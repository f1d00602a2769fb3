package dev.kopf4j.text;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/**
 * Says why a file that somebody has named cannot be used, and the way out: the end of a sentence that says which file
 * it is, and what it is for. The JDK's exceptions have only the path as their message, and the problem in the name of
 * their class.
 */
public final class FileProblem {
    private FileProblem() {}

    /**
     * Returns what is wrong with a file that is to be read; empty if nothing is. The file is not opened, because a pipe
     * can be opened only once.
     */
    public static Optional<String> whyUnreadable(Path file) {
        if (Files.notExists(file)) {
            return Optional.of(describe(file, new NoSuchFileException(file.toString())));
        }
        if (Files.isDirectory(file)) {
            return Optional.of(describe(file, new IOException("Is a directory")));
        }
        return Files.isReadable(file)
                ? Optional.empty()
                : Optional.of(describe(file, new AccessDeniedException(file.toString())));
    }

    /**
     * Returns what is wrong, without a full stop at the end.
     *
     * @param named the file or folder that the sentence has named already
     */
    public static String describe(Path named, IOException failure) {
        return switch (failure) {
            case NoSuchFileException e -> missing(Path.of(other(named, e).orElse(named.toString())));
            case FileNotFoundException e -> missing(named);
            case AccessDeniedException e ->
                "the user '" + System.getProperty("user.name") + "' has no permission for "
                        + other(named, e).orElse("it") + "; give it (chmod, chown), or name another place";
            case FileAlreadyExistsException e ->
                other(named, e).orElse("it") + " is there already, and is no folder; name another place";
            case DirectoryNotEmptyException e -> other(named, e).orElse("it") + " is a folder, not a file; name a file";
            case NotDirectoryException e -> other(named, e).orElse("it") + " is a file, not a folder";
            case CharacterCodingException e -> "it is no text in UTF-8; save it in that encoding";
            case ZipException e -> "it is no jar, or a damaged one (" + e.getMessage() + "); build it anew";
            case FileSystemException e -> byReason(e.getReason(), e);
            default -> byReason(failure.getMessage(), failure);
        };
    }

    /** Returns the message of a failure with its cause in words, unless the message has them already. */
    public static String sentence(UncheckedIOException failure) {
        IOException cause = Objects.requireNonNull(failure.getCause());
        String file = cause instanceof FileSystemException e && e.getFile() != null ? e.getFile() : "";
        String message = String.valueOf(failure.getMessage());
        String begin = message.equals(cause.toString()) ? "a file cannot be used" : message;
        String words = describe(Path.of((begin + " ").contains(" " + file + " ") ? file : ""), cause);
        return begin.endsWith(words) ? begin : begin + ": " + words;
    }

    private static String missing(Path file) {
        Path parent = file.toAbsolutePath().getParent();
        return parent != null && Files.notExists(parent)
                ? "there is no folder " + parent + "; make it, or check the path"
                : "there is no such file; check the path";
    }

    /** Returns the file that the failure names; empty if it is the one that the sentence has named. */
    private static Optional<String> other(Path named, FileSystemException failure) {
        return Optional.ofNullable(failure.getFile()).filter(file -> !file.equals(named.toString()));
    }

    /** Translates the words of the operating system, which the JDK hands on. */
    private static String byReason(@Nullable String reason, IOException failure) {
        return switch (reason) {
            case null -> "the system refuses it (" + failure.getClass().getSimpleName() + ")";
            case "Is a directory" -> "it is a folder, not a file; name a file";
            case "Not a directory" -> "a part of the path is a file, not a folder; check the path";
            case "No space left on device" -> "the disk is full; make room, or name another place";
            case "Read-only file system" -> "nothing can be written there; name another place";
            default -> reason;
        };
    }
}
