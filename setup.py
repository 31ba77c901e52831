"""Map the plain source folders to their import names; everything else is in pyproject.toml."""

from setuptools import find_packages, setup

OWNED = ("engine", "synx", "models")  # bare names would be rude in site-packages

packages: list[str] = []
package_dir: dict[str, str] = {}
for folder in OWNED:
    for name in (folder, *(f"{folder}.{sub}" for sub in find_packages(folder))):
        packages.append(f"selfimprint.{name}")
        package_dir[f"selfimprint.{name}"] = name.replace(".", "/")
packages += ["selfimprintd", *(f"selfimprintd.{sub}" for sub in find_packages("selfimprintd"))]

setup(packages=packages, package_dir=package_dir)
