package dev.kopf4j.cli.dependency;

import dev.kopf4j.cli.process.CommandException;
import eu.maveniverse.maven.mima.context.Context;
import eu.maveniverse.maven.mima.context.ContextOverrides;
import eu.maveniverse.maven.mima.context.Runtimes;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.aether.RepositoryException;
import org.eclipse.aether.repository.RemoteRepository;

/** Resolves dependencies as Maven does, by its own resolver. Immutable. */
final class MavenRepositories {
    private final ContextOverrides.Builder choices;
    private final List<NamedRepository> named;

    /**
     * Takes what somebody has chosen; the rest is as in Maven.
     *
     * @param named repositories of source files; if there are any, Maven's central one is asked only if it is among
     *     them
     */
    MavenRepositories(ContextOverrides.Builder choices, List<NamedRepository> named) {
        this.choices = choices;
        this.named = List.copyOf(named);
    }

    /** Those of the user's settings, and those of source files. */
    static MavenRepositories ofUser(List<NamedRepository> named) {
        var choices = ContextOverrides.create().withUserSettings(true);
        String local = System.getProperty("maven.repo.local", "");
        if (!local.isEmpty()) {
            choices.withLocalRepositoryOverride(Path.of(local));
        }
        return new MavenRepositories(choices, named);
    }

    /**
     * Returns the jars, those that others depend on included. What is there already is enough; only otherwise are
     * remote repositories asked.
     *
     * @throws CommandException if something cannot be had
     */
    List<Path> resolve(List<NamedDependency> dependencies) {
        try (Context context = context(true)) {
            return new DependencyGraph(context, repositories(context)).files(dependencies);
        } catch (RepositoryException e) {
            return resolveRemotely(dependencies);
        }
    }

    private List<Path> resolveRemotely(List<NamedDependency> dependencies) {
        try (Context context = context(false)) {
            try {
                return new DependencyGraph(context, repositories(context)).files(dependencies);
            } catch (RepositoryException e) {
                throw CommandException.usage(
                        new ResolutionFailure(e, dependencies, repositories(context)).message(context));
            }
        }
    }

    /** With the mirrors, proxies and credentials of Maven's settings. */
    private List<RemoteRepository> repositories(Context context) {
        List<RemoteRepository> repositories = new ArrayList<>();
        named.stream().flatMap(each -> each.remote().stream()).forEach(repositories::add);
        boolean central =
                named.isEmpty() || named.stream().anyMatch(each -> each.id().equals(NamedRepository.CENTRAL));
        List<RemoteRepository> all = new ArrayList<>(
                context.repositorySystem().newResolutionRepositories(context.repositorySystemSession(), repositories));
        context.remoteRepositories().stream()
                .filter(each -> central || !each.getId().equals(NamedRepository.CENTRAL))
                .forEach(all::add);
        return all;
    }

    private Context context(boolean offline) {
        return Runtimes.INSTANCE.getRuntime().create(choices.offline(offline).build());
    }
}
