package dev.kopf4j.cli.dependency;

import dev.kopf4j.cli.process.CommandException;
import eu.maveniverse.maven.mima.context.Context;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.eclipse.aether.DefaultRepositorySystemSession;
import org.eclipse.aether.RepositoryException;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.collection.CollectRequest;
import org.eclipse.aether.graph.Dependency;
import org.eclipse.aether.graph.Exclusion;
import org.eclipse.aether.repository.RemoteRepository;
import org.eclipse.aether.resolution.ArtifactDescriptorRequest;
import org.eclipse.aether.resolution.ArtifactResult;
import org.eclipse.aether.resolution.DependencyRequest;
import org.eclipse.aether.util.artifact.JavaScopes;
import org.eclipse.aether.util.filter.DependencyFilterUtils;
import org.eclipse.aether.util.repository.SimpleArtifactDescriptorPolicy;

/** Finds the files of dependencies, and of what they depend on. Confined to one thread. */
record DependencyGraph(Context context, List<RemoteRepository> repositories) {
    private static final String OURS = "dev.kopf4j";

    /** What the program itself gives to operators; files for jbang name it, too. */
    private static final List<String> GIVEN = List.of("kopf4j-base", "kopf4j-core", "kopf4j-fabric8", "kopf4j-types");

    List<Path> files(List<NamedDependency> named) throws RepositoryException {
        var request = new CollectRequest();
        request.setRepositories(repositories);
        for (NamedDependency each : named) {
            if (each.isBom()) {
                managed(each).forEach(request::addManagedDependency);
            }
        }
        named.stream()
                .filter(each -> !each.isBom() && !isGiven(each))
                .forEach(each -> request.addDependency(dependency(each, request.getManagedDependencies())));
        var filter = DependencyFilterUtils.classpathFilter(JavaScopes.RUNTIME);
        return context
                .repositorySystem()
                .resolveDependencies(context.repositorySystemSession(), new DependencyRequest(request, filter))
                .getArtifactResults()
                .stream()
                .map(ArtifactResult::getArtifact)
                .filter(artifact -> artifact.getExtension().equals("jar"))
                .map(artifact -> artifact.getFile().toPath())
                .toList();
    }

    private static boolean isGiven(NamedDependency named) {
        return named.group().equals(OURS) && GIVEN.contains(named.artifact());
    }

    private static Dependency dependency(NamedDependency named, List<Dependency> managed) {
        var exclusions = new ArrayList<Exclusion>();
        GIVEN.forEach(artifact -> exclusions.add(new Exclusion(OURS, artifact, "*", "*")));
        Artifact artifact = artifact(named);
        String version = named.version().isEmpty() ? version(named, managed) : named.version();
        return new Dependency(artifact.setVersion(version), JavaScopes.COMPILE, false, exclusions);
    }

    private static String version(NamedDependency named, List<Dependency> managed) {
        return managed.stream()
                .map(Dependency::getArtifact)
                .filter(each -> each.getGroupId().equals(named.group())
                        && each.getArtifactId().equals(named.artifact())
                        && each.getClassifier().equals(named.classifier()))
                .map(Artifact::getVersion)
                .findFirst()
                .orElseThrow(() -> CommandException.usage(named.position() + ": " + named.coordinates()
                        + " has no version, and no bill of materials has one: write //DEPS " + named.coordinates()
                        + ":VERSION, or add one such as //DEPS group:artifact-bom:version@pom"));
    }

    private static Artifact artifact(NamedDependency named) {
        return new DefaultArtifact(named.group(), named.artifact(), named.classifier(), named.type(), named.version());
    }

    private List<Dependency> managed(NamedDependency bom) throws RepositoryException {
        var request = new ArtifactDescriptorRequest(artifact(bom), repositories, null);
        var strict = new DefaultRepositorySystemSession(context.repositorySystemSession())
                .setArtifactDescriptorPolicy(new SimpleArtifactDescriptorPolicy(false, false));
        return context.repositorySystem()
                .readArtifactDescriptor(strict, request)
                .getManagedDependencies();
    }
}
