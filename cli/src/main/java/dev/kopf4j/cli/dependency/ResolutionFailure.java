package dev.kopf4j.cli.dependency;

import dev.kopf4j.text.FileProblem;
import eu.maveniverse.maven.mima.context.Context;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import org.eclipse.aether.repository.RemoteRepository;

/** Tells which dependencies could not be found, and where they were looked for. Immutable. */
record ResolutionFailure(Exception failure, List<NamedDependency> named, List<RemoteRepository> repositories) {
    String message(Context context) {
        String begin = "Cannot get the dependencies of the source files: ";
        Path local = context.repositorySystemSession()
                .getLocalRepository()
                .getBasedir()
                .toPath();
        return unwritable(local)
                .map(trouble -> begin + "the local repository " + local + " cannot be written: " + trouble
                        + ".\n-Dmaven.repo.local=FOLDER in KOPF4J_JAVA_OPTS names another one.")
                .orElseGet(() -> begin + unresolved(local));
    }

    /** What is wrong with the files of the local repository, if that is the reason. */
    private Optional<String> unwritable(Path local) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof FileSystemException e && e.getFile() != null) {
                Path file = Path.of(e.getFile()).toAbsolutePath();
                if (file.startsWith(local) || local.startsWith(file)) {
                    return Optional.of(FileProblem.describe(local, e));
                }
            }
        }
        return Optional.empty();
    }

    private String unresolved(Path local) {
        return reason() + "\nThey are named in "
                + named.stream()
                        .map(each -> each.position() + " (" + each.coordinates() + ")")
                        .collect(Collectors.joining(", "))
                + ".\nTried: the local repository " + local + ", then " + remoteRepositories()
                + ". Check names and versions; further repositories are named by lines //REPOS; those of"
                + " all files, mirrors and proxies are read from Maven's settings"
                + " (~/.m2/settings.xml).";
    }

    /** The resolver wraps what has happened in several exceptions, all of which repeat it. */
    private String reason() {
        Throwable cause = failure;
        while (cause.getCause() != null && cause.getCause().getMessage() != null && isResolvers(cause.getCause())) {
            cause = cause.getCause();
        }
        return String.valueOf(cause.getMessage()).strip();
    }

    private static boolean isResolvers(Throwable failure) {
        return failure.getClass().getName().startsWith("org.eclipse.aether.");
    }

    private String remoteRepositories() {
        return repositories.stream()
                .map(each -> each.getId() + " (" + each.getUrl() + ")")
                .collect(Collectors.joining(", "));
    }
}
