package dev.kopf4j.cli.dependency;

import eu.maveniverse.maven.mima.context.Context;
import java.util.List;
import java.util.stream.Collectors;
import org.eclipse.aether.repository.RemoteRepository;

/** Tells which dependencies could not be found, and where they were looked for. Immutable. */
record ResolutionFailure(Exception failure, List<NamedDependency> named, List<RemoteRepository> repositories) {
    String message(Context context) {
        return "Cannot get the dependencies of the source files: " + reason() + "\nThey are named in "
                + named.stream()
                        .map(each -> each.position() + " (" + each.coordinates() + ")")
                        .collect(Collectors.joining(", "))
                + ".\nTried: the local repository " + localRepository(context) + ", then " + remoteRepositories()
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

    private static String localRepository(Context context) {
        return context.repositorySystemSession()
                .getLocalRepository()
                .getBasedir()
                .toString();
    }

    private String remoteRepositories() {
        return repositories.stream()
                .map(each -> each.getId() + " (" + each.getUrl() + ")")
                .collect(Collectors.joining(", "));
    }
}
